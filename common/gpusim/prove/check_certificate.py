#!/usr/bin/env python3
"""check_certificate.py CERTIFICATE.json…: follows proofs of prove/ without searching, and without a line of the prover.

It makes the list of what must be shown from the accesses in the certificate: each stays within its array, at a multiple of its
bytes, and no two threads touch the same byte unless both only read, both are atomic, or a barrier orders them. Each item needs
a proof: a tree of sums and products of facts, and of cases, in which every leaf is a contradiction. Only facts of the item may
be used.

It trusts that the certificate describes the kernel: its accesses, the conditions under which a thread comes to them, the
definitions of the variables, the segments between barriers, and that all threads come to these. And the contract is what the
host does.
"""
import itertools
import json
import math
import sys


class Wrong(Exception):
    """What is wrong with a certificate."""


def require(condition, text):
    if not condition:
        raise Wrong(text)


# A polynomial is {monomial: coefficient}, a monomial a sorted tuple of names, a fact (polynomial, whether it is 0, not only >=
# 0).
def polynomial(parts):
    require(all(type(c) is int for _, c in parts), "a coefficient is not a whole number")
    return combined(({tuple(sorted(names)): 1}, c) for names, c in parts)


def fact_of(parts):
    return polynomial(parts[0]), bool(parts[1])


def clauses_of(parts):
    return [[[fact_of(fact) for fact in facts] for facts in clause] for clause in parts]


def combined(parts):
    total = {}
    for term, factor in parts:
        for m, c in term.items():
            total[m] = total.get(m, 0) + c * factor
    return {m: c for m, c in total.items() if c}


def multiplied(one, other):
    total = {}
    for (a, x), (b, y) in itertools.product(one.items(), other.items()):
        m = tuple(sorted(a + b))
        total[m] = total.get(m, 0) + x * y
    return {m: c for m, c in total.items() if c}


def key(fact):
    return tuple(sorted(fact[0].items())), fact[1]


def clause_key(clause):
    return tuple(sorted(tuple(sorted(key(fact) for fact in facts)) for facts in clause))


def new_fact(step, facts):
    """The fact that a step derives."""
    what = step[0]
    if what == "sum":  # divided by a common factor of the coefficients, the constant rounded down
        _, parts, divisor, is_equality = step
        require(type(divisor) is int and divisor > 0, "a sum is divided by what is not positive")
        for i, factor in parts:
            require(type(factor) is int and 0 <= i < len(facts), "a sum of a fact that is not there")
            require(facts[i][1] or (factor >= 0 and not is_equality), "an inequality is subtracted, or called an equality")
        total = combined((facts[i][0], factor) for i, factor in parts)
        require(all(c % divisor == 0 for m, c in total.items() if m or is_equality), "a coefficient is not divisible")
        return {m: c // divisor for m, c in total.items() if c // divisor}, is_equality
    if what == "equal":  # from a sum that is at least 0, and at most 0
        require(not combined((facts[i][0], 1) for i in step[1:3]), "what is called equal is not")
        return facts[step[1]][0], True
    if what == "times":
        require(facts[step[1]][1], "an inequality times a polynomial")
        return multiplied(facts[step[1]][0], polynomial(step[2])), True
    require(what == "product" and not facts[step[1]][1] and not facts[step[2]][1], f"a step '{what}' is not known")
    return multiplied(facts[step[1]][0], facts[step[2]][0]), False


def is_false(fact):
    term, is_equality = fact
    rest = [c for m, c in term.items() if m]
    constant = term.get((), 0)
    if not rest:
        return constant != 0 if is_equality else constant < 0
    return is_equality and constant % math.gcd(*rest) != 0


def follow(proof, facts, clauses):
    """Raises Wrong unless the proof shows that the facts and the clauses contradict each other."""
    known = list(facts)
    for step in proof["steps"]:
        known.append(new_fact(step, known))
    end = proof["end"]
    if end[0] == "false":
        require(0 <= end[1] < len(known) and is_false(known[end[1]]), "a leaf of a proof is no contradiction")
        return
    given = facts + [known[i] for i in proof["keep"]]
    if end[0] == "clause":
        require(0 <= end[1] < len(clauses), "a case of a clause that is not there")
        cases = clauses[end[1]]
    else:
        require(end[0] == "split", f"a proof ends in '{end[0]}'")
        term = polynomial(end[1])
        cases = [[(term, False)], [(combined([(term, -1), ({(): 1}, -1)]), False)]]
    require(len(cases) == len(end[2]), "a case is missing")
    for case, branch in zip(cases, end[2]):
        follow(branch, given + case, clauses)


def renamed(fact, names):
    return {tuple(sorted(names.get(v, v) for v in m)): c for m, c in fact[0].items()}, fact[1]


def placed(term, numbers):
    """A polynomial with numbers in place of some variables."""
    found = []
    for m, c in term.items():
        found.append(({tuple(v for v in m if v not in numbers): c}, math.prod(numbers[v] for v in m if v in numbers)))
    return combined(found)


def names_in(clauses):
    return {v for clause in clauses for facts in clause for term, _ in facts for m in term for v in m}


class Certificate:
    def __init__(self, read):
        self.block = read["block"]
        arrays = {"global": read["arrays"], "shared": read["shared"], "local": read["local"]}
        self.arrays = {(s, n): (polynomial(size), align) for s in arrays for n, (size, align) in arrays[s].items()}
        self.contract = clauses_of(read["contract"])
        self.definitions = {n: (clauses_of(d["clauses"]), set(d["depends"])) for n, d in read["definitions"].items()}
        self.accesses = read["accesses"]
        for access in self.accesses:
            access["offset"], access["clauses"] = polynomial(access["offset"]), clauses_of(access["clauses"])
        self.lemmas = read["lemmas"]
        self.proofs = {}
        for proof in read["proofs"]:
            self.proofs[proof["kind"], tuple(proof["accesses"]), proof["case"]] = proof
        self.check_definitions()

    def check_definitions(self):
        for axis, size in zip("xyz", self.block):
            t = (f"tid.{axis}",)
            self.must_be(f"tid.{axis}", [{t: 1}, {t: -1, (): size - 1} if size > 1 else {t: -1}], "thread")
        self.must_be("ctaid.x", [{("ctaid.x",): 1}, {("grid",): 1, ("ctaid.x",): -1, (): -1}], "block")
        for name, (clauses, depends) in self.definitions.items():
            for other in names_in(clauses):
                require(self.definitions[other][1] <= depends, f"{name} depends on more than its definition says")

    def must_be(self, name, terms, depends):
        clauses, on = self.definitions[name]
        expected = sorted(clause_key([[(term, False)]]) for term in terms)
        require(sorted(map(clause_key, clauses)) == expected and depends in on, f"{name} is not defined as the hardware does")

    def closure(self, access):
        """The conditions of an access, and the definitions of all variables that they mention."""
        clauses, seen = list(access["clauses"]), set()
        work = {v for m in access["offset"] for v in m} | {"ctaid.x"} | names_in(clauses)
        work |= {f"tid.{axis}" for axis in "xyz"} | {r for _, rounds in access["segments"] for r, _ in rounds}
        work |= {v for m in self.arrays[access["space"], access["array"]][0] for v in m} | names_in(self.contract)
        while work - seen:
            name = (work - seen).pop()
            seen.add(name)
            clauses += self.definitions[name][0]
            work |= names_in(self.definitions[name][0])
        return clauses + self.contract

    def prove(self, item, clauses, needed):
        """Follows the proof of an item. `needed`: facts whose opposite the item claims; each may be used, as the clauses may."""
        proof = self.proofs.get(item)
        require(proof, f"there is no proof of {item}")
        facts = [fact_of(fact) for fact in proof["facts"]]
        split = clauses_of(proof["clauses"])
        allowed = {key(fact) for clause in clauses if len(clause) == 1 for fact in clause[0]} | {key(fact) for fact in needed}
        for fact in facts:
            require(key(fact) in allowed, f"the proof of {item} uses a fact that is not given")
        allowed = {clause_key(clause) for clause in clauses}
        for clause in split:
            require(clause_key(clause) in allowed, f"the proof of {item} uses a clause that is not given")
        follow(proof["proof"], facts, split)

    def check_members(self, family):
        """Each member of a family is the family with whole numbers in place of variables: what else is claimed holds for it."""
        for member in family["members"]:
            numbers, given = member["numbers"], {clause_key(clause) for clause in clauses_of(member["clauses"])}
            for name, value in numbers.items():
                require(self.definitions[name] == ([], {"thread", "block", "round"}), f"{name} may not have any value")
                require(type(value) is int, f"{name} is no whole number")
            require(placed(family["offset"], numbers) == polynomial(member["offset"]), "a member of a family lies elsewhere")
            for clause in family["clauses"]:
                clause = [[(placed(term, numbers), e) for term, e in facts] for facts in clause]
                holds = any(all(not set(t) - {()} and not is_false((t, e)) for t, e in facts) for facts in clause)
                require(holds or clause_key(clause) in given, "a condition of a family is not that of a member")

    def check(self):
        for access in self.accesses:
            self.check_members(access)
        for number, access in enumerate(self.accesses):
            require(access["kind"] in ("read", "write", "atomic") and access["width"] > 0, "an access of no kind")
            size, align = self.arrays[access["space"], access["array"]]
            clauses, one, width = self.closure(access), ({(): 1}, -1), access["width"]
            require(align % width == 0, "an array does not begin at a multiple of the bytes of an access")
            rest = combined([(access["offset"], 1), ({("multiple",): 1}, -width)])  # "multiple" stands for any whole number
            rests = [combined([(rest, 1), one]), combined([(rest, -1), ({(): width - 1}, 1)])]
            before = combined([(access["offset"], -1), one])
            behind = combined([(access["offset"], 1), ({(): width}, 1), (size, -1), one])
            self.prove(("bounds", (number,), "begin"), clauses, [(before, False)])
            self.prove(("bounds", (number,), "end"), clauses, [(behind, False)])
            self.prove(("bounds", (number,), "aligned"), clauses, [(term, False) for term in rests])
        for i, j in itertools.combinations_with_replacement(range(len(self.accesses)), 2):
            one, other = self.accesses[i], self.accesses[j]
            same = one["space"] != "local" and (one["space"], one["array"]) == (other["space"], other["array"])
            kinds = {one["kind"], other["kind"]}
            if not same or kinds == {"read"} or (kinds == {"atomic"} and one["width"] == other["width"]):
                continue
            threads = [(f"tid.{axis}'1", f"tid.{axis}'2") for axis, size in zip("xyz", self.block) if size > 1]
            for case, rounds in enumerate(meetings(one, other)):
                extra = [[[fact]] for fact in rounds] + [different(threads)]
                if not set(one["warp_segments"]) & set(other["warp_segments"]):
                    extra += self.different_warps()
                self.pair(("block", (i, j), case), {"thread", "round"}, extra)
            if one["space"] == "global":
                self.pair(("grid", (i, j), 0), {"thread", "round", "block"}, [different([("ctaid.x'1", "ctaid.x'2")])])
        for lemma in self.lemmas:
            facts = [fact_of(fact) for fact in lemma["facts"]]
            term, _ = fact_of(lemma["shows"])
            opposite = (combined([(term, -1), ({(): 1}, -1)]), False)
            require(key(opposite) in map(key, facts), "a lemma does not begin with the opposite of what it shows")
            follow(lemma["proof"], facts, clauses_of(lemma["clauses"]))

    def pair(self, item, private, extra):
        clauses, offsets, widths = list(extra), [], []
        for number, suffix in zip(item[1], ("'1", "'2")):
            access = self.accesses[number]
            names = {n: n + suffix for n, (_, depends) in self.definitions.items() if depends & private}
            clauses += [[[renamed(f, names) for f in facts] for facts in clause] for clause in self.closure(access)]
            offsets.append(renamed((access["offset"], False), names)[0])
            widths.append(access["width"])
        (a, b), (wide_a, wide_b) = offsets, widths
        touch = [combined([(b, 1), (a, -1), ({(): wide_b - 1}, 1)]), combined([(a, 1), (b, -1), ({(): wide_a - 1}, 1)])]
        self.prove(item, clauses, [(term, False) for term in touch])

    def different_warps(self):
        clauses = []
        across, down, _ = self.block
        for s in ("'1", "'2"):
            factors = [(axis, f) for axis, f, size in zip("xyz", (1, across, across * down), self.block) if size > 1]
            lane = combined([({(f"tid.{axis}{s}",): f}, 1) for axis, f in factors] + [({("warp" + s,): 32}, -1)])
            clauses += [[[(lane, False)]], [[(combined([(lane, -1), ({(): 31}, 1)]), False)]]]
        return [*clauses, different([("warp'1", "warp'2")])]


def different(pairs):
    """A clause: in one of the pairs, the two are not equal."""
    return [[({(a,): -1, (b,): 1, (): -1}, False)] for pair in pairs for a, b in (pair, pair[::-1])]


def meetings(one, other):
    """For each segment that two accesses have in common: facts, the rounds in which they meet there."""
    found = []
    for (a, rounds), (b, others) in itertools.product(one["segments"], other["segments"]):
        if a == b:
            facts = []
            for x, y in itertools.zip_longest(rounds, others):
                left, right = ({(r[0] + s,): 1, (): r[1]} if r else {} for r, s in ((x, "'1"), (y, "'2")))
                facts.append((combined([(left, 1), (right, -1)]), True))
            if facts not in found:
                found.append(facts)
    return found


def main():
    if len(sys.argv) < 2:
        sys.exit("check_certificate.py: name certificates, which `prove --certificates FOLDER` writes")
    for path in sys.argv[1:]:
        try:
            with open(path, encoding="utf-8") as file:
                certificate = Certificate(json.load(file))
            certificate.check()
        except (Wrong, OSError, ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
            sys.exit(f"{path}: not a proof: {error if isinstance(error, (Wrong, OSError)) else repr(error)}")
        print(f"{path}: {len(certificate.accesses)} accesses, {len(certificate.proofs)} proofs: right")


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
