"""The counters of the simulated GPU, from the list that the simulated GPU is compiled with
(gpusim/include/gpusim/detail/counters.def, which says what each word of it means)."""
import collections
import pathlib
import re
import sys

FILE = pathlib.Path(__file__).resolve().parent / "gpusim/include/gpusim/detail/counters.def"

# name: as in the JSON of programs, global_load_sectors. places: by name of the place, what the list says in it.
Counter = collections.namedtuple("Counter", "kind name decimals places")

TEXT = r'"[^"]*"'
# The places: words, some with parentheses in which texts may hold any character.
SHOWN = rf'(?:{TEXT}|[^"()]|\((?:{TEXT}|[^"()])*\))*'
ROW = re.compile(rf"^(COUNTER|HIDDEN_COUNTER|DERIVED|COMBINED)\(([\w.]+),\s*(?:(\d+),\s*)?({SHOWN})\)$", re.MULTILINE)
PLACE = re.compile(rf"(\w+)(?:\(((?:{TEXT}|[^\"()])*)\))?\s*")
PLACES = {"PROFILE", "LINES", "TOTAL", "PROGRAMS", "TOUR", "BOOK", "BOOK_BEHIND", "NCU", "NCU_SASS", "NCU_TABLE", "NOWHERE"}


def json_name(member):
    return member.replace(".", "_")


def value_of(word):
    return word[1:-1] if word.startswith('"') else int(word) if word.isdigit() else json_name(word)


def read(text):
    """Counters of the list, in its order. Exits if there is a row that it cannot read."""
    text = "\n".join(line for line in text.splitlines() if not line.startswith(("//", "#")))
    rows = ROW.findall(text)
    left = ROW.sub("", text).strip()
    if left:
        sys.exit(f"{FILE}: cannot read {left.splitlines()[0]!r}")
    counters = []
    for kind, member, decimals, shown in rows:
        places = {}
        for place, words in PLACE.findall(shown):
            if place not in PLACES or place in places:
                sys.exit(f"{FILE}: {member}: {place} is no place, or is there twice")
            places[place] = [value_of(word) for word in re.findall(rf"{TEXT}|[\w.]+", words)]
        if not places:
            sys.exit(f"{FILE}: {member}: where is it shown? (NOWHERE, if nowhere)")
        counters.append(Counter(kind, json_name(member), int(decimals or 0), places))
    return counters


ALL = read(FILE.read_text(encoding="utf-8"))


def shown_in(place):
    """(counter, what the list says) of those that are shown there, by column if they have one."""
    found = [(counter, counter.places[place]) for counter in ALL if place in counter.places]
    columns = [words[0] for _, words in found]
    if not any(isinstance(column, int) for column in columns):
        return found
    if sorted(columns) != list(range(1, len(found) + 1)):
        sys.exit(f"{FILE}: the columns of {place} are not 1 to {len(found)}, each once: {columns}")
    return sorted(found, key=lambda row: row[1][0])


def book_rows():
    """(counter, label, term of the glossary), in the order of the pages' tables."""
    rows = [(counter, *words) for counter, words in shown_in("BOOK")]
    for counter, (behind, *words) in shown_in("BOOK_BEHIND"):
        at = [row[0].name for row in rows].index(behind)
        rows.insert(at + 1, (counter, *words))
    return rows


def ncu_metrics():
    """By the name of our counter, the metrics of ncu whose sum has the same definition; behind it, with _sass, those that ncu
    works out from the addresses."""
    metrics = {}
    for counter in ALL:
        for place, suffix in (("NCU", ""), ("NCU_SASS", "_sass")):
            if place in counter.places:
                metrics[counter.name + suffix] = counter.places[place]
    return metrics
# SPDX-License-Identifier: MIT
