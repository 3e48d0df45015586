"""Chapter 15's tables, from book/data/rows_*.json (common/measure.py rows)."""

from tables import code, markdown, ncu, source

TYPES = ("float", "bfloat16")
OPERATIONS = {"softmax": "softmax", "rms_norm": "RMSNorm"}
TWO_KERNELS = "softmax in two kernels"
REPEATED = "RMSNorm with repeated weights"
# What each of the loads asks of the caches, changed alone.
ORDINARY_SOFTMAX = "softmax by ordinary loads"
ORDINARY_ROWS = "RMSNorm by ordinary loads of rows"
ORDINARY_WEIGHTS = "RMSNorm by ordinary loads of weights"
WEIGHTS_IN_L2 = "RMSNorm with weights kept in L2 only"
KEPT_ROWS = "RMSNorm with rows kept as well"
LONGEST = 1 << 18  # columns


def copies(document):
    """GB/s of a copy, by type."""
    rows = {row["kernel"]: row["timing"]["gigabytes_per_second"] for row in document["shapes"]["rows"]}
    return {of: rows[f"copy, {of}"] for of in TYPES}


def shapes(document):
    """{(operation, type, columns): {"ours", "eager", "compiled": GB/s}}."""
    found = {}
    for row in document["shapes"]["rows"]:
        operation, of, *columns = row["kernel"].split(", ")
        if columns:
            key = (operation, of, int(columns[0].split()[0]))
            found[key] = {"ours": row["timing"]["gigabytes_per_second"]}
    size = {"float": 4, "bfloat16": 2}
    for row in document["pytorch"]["rows"]:
        bytes_moved = 2 * document["elements"] * size[row["type"]]
        found[row["operation"], row["type"], row["columns"]][row["way"]] = bytes_moved / row["milliseconds"] * 1e-6
    return found


def in_range(document, operation, least, most):
    """Type and row of each shape with `least` to `most` columns."""
    return [(of, row) for (name, of, columns), row in shapes(document).items() if name == operation and least <= columns <= most]


def least_of_copy(document, operation, least=0, most=LONGEST):
    """The smallest share of a copy, in percent, among rows of `least` to `most` columns."""
    copy = copies(document)
    return min(100 * row["ours"] / copy[of] for of, row in in_range(document, operation, least, most))


def to_pytorch(row):
    """How many times as fast as the faster of PyTorch's two ways."""
    return row["ours"] / max(row["eager"], row["compiled"])


def steps(document):
    """GB/s by kernel, for rows of 4,096 floats."""
    return {row["kernel"]: row["timing"]["gigabytes_per_second"] for row in document["runs"][0]["rows"]}


def below(document, compared="", unit="; GB/s"):
    return f"\n*{document['what'].split(';')[0].capitalize()}{unit}.{compared} {source(document['where'])}.*\n"


def shape_table(document, operation):
    lines = [[f"{operation} of", "columns", "ours", "of a copy", "PyTorch", "torch.compile", "ours / the faster"]]
    copy = copies(document)
    for (name, of, columns), row in shapes(document).items():
        if name != operation:
            continue
        lines.append([of, f"{columns:,}", f"{row['ours']:,.0f}", f"{100 * row['ours'] / copy[of]:.1f} %",
                      f"{row['eager']:,.0f}", f"{row['compiled']:,.0f}", f"{to_pytorch(row):.2f}"])
    return markdown(lines, "lrrrrrr") + below(document, f" PyTorch {document['pytorch']['torch']}.")


def step_table(document):
    copy = document["runs"][0]["copy_gigabytes_per_second"]
    lines = [["kernel", "GB/s", "of a copy"]]
    lines += [[code(kernel), f"{speed:,.0f}", f"{100 * speed / copy:.1f} %"] for kernel, speed in steps(document).items()]
    return markdown(lines, "lrr") + below(document)


def split_table(document):
    """Rows of more than 64 KiB: one launch next to two kernels."""
    found, copy = shapes(document), copies(document)
    lines = [["type", "columns", "two kernels", "one launch", "one launch, of a copy"]]
    for (name, of, columns), row in found.items():
        if name == TWO_KERNELS:
            one = found["softmax", of, columns]["ours"]
            lines.append([of, f"{columns:,}", f"{row['ours']:,.0f}", f"{one:,.0f}", f"{100 * one / copy[of]:.1f} %"])
    return markdown(lines, "lrrrr") + below(document)


def weights_table(document):
    """RMSNorm of long rows, with a weight for each column and with 1,024 that repeat, next to softmax, which has none."""
    found, copy = shapes(document), copies(document)
    names = {"RMSNorm": "RMSNorm, of a copy", REPEATED: "with 1,024 weights that repeat", "softmax": "softmax"}
    lines = [["type", "columns", *names.values()]]
    for name, of, columns in found:
        if name == REPEATED:
            lines.append([of, f"{columns:,}", *(f"{100 * found[each, of, columns]['ours'] / copy[of]:.1f} %" for each in names)])
    return markdown(lines, "lrrrr") + below(document, unit="")


def hints_table(document):
    """Softmax and RMSNorm, with what each load asks of the caches and with one of these changed, in percent of a copy."""
    found, copy = shapes(document), copies(document)
    names = {"softmax": "softmax", ORDINARY_SOFTMAX: "ordinary loads", "RMSNorm": "RMSNorm",
             ORDINARY_ROWS: "ordinary loads of rows", KEPT_ROWS: "rows kept as well",
             ORDINARY_WEIGHTS: "ordinary loads of weights", WEIGHTS_IN_L2: "weights kept in L2 only"}
    lines = [["percent of a copy: type", "columns", *names.values()]]
    for name, of, columns in found:
        if name == "softmax":
            rows = [found.get((each, of, columns)) for each in names]
            lines.append([of, f"{columns:,}", *(f"{100 * row['ours'] / copy[of]:.1f}" if row else "–" for row in rows)])
    return markdown(lines, "lr" + "r" * len(names)) + below(document, unit="")


def parts(document):
    """{(type, parts of a row): GB/s} of split_rows; 0 parts: rows_in_registers, rows of one part."""
    found = {}
    for row in document["parts"]["rows"]:
        _, *count, of = row["kernel"].split(", ")
        found[of, int(count[0].split()[0]) if count else 0] = row["timing"]["gigabytes_per_second"]
    return found


def parts_table(document):
    found, copy = parts(document), copies(document)
    lines = [["a row is shared by", *(f"{of}, {unit}" for of in TYPES for unit in ("GB/s", "of a copy"))]]
    for count in sorted({count for _, count in found}):
        label = ("one block, without an exchange" if count == 0 else
                 "one block, which reads its own word" if count == 1 else f"{count} blocks")
        lines.append([label, *(text for of in TYPES for speed in [found[of, count]]
                               for text in (f"{speed:,.0f}", f"{100 * speed / copy[of]:.1f} %"))])
    return markdown(lines, "lrrrr") + below(document)


def ncu_table(document):
    counted = {**document["counted"], "where": document["where"]}
    return ncu(counted, list(counted["kernels"]))


def table(document, what):
    tables = {"steps": step_table, "split": split_table, "parts": parts_table, "weights": weights_table,
              "hints": hints_table, "ncu": ncu_table}
    return tables[what](document) if what in tables else shape_table(document, OPERATIONS[what])
# SPDX-License-Identifier: MIT
