"""What must be shown of the accesses of a kernel, so that it has no race and stays within its arrays:

bounds: no access begins before its array or ends behind it, and each is at a multiple of its bytes, as the hardware wants; for
accesses to local memory, which no two threads share, this is all;
block:  two threads of one block, in the same segment between barriers, do not touch the same byte, unless both read or both are
atomic;
grid:   neither do two threads of different blocks, in global memory.

check_certificate.py makes the same list from the accesses, without this file.
"""
from itertools import zip_longest

from . import polynomials as p
from .values import BLOCK, ROUND, THREAD, at_least, equal, flattened, less

NAMES = ("tid.x", "tid.y", "tid.z")


def renaming(symbols, private, suffix):
    """The names of one of two threads, for variables that they do not share."""
    return {name: name + suffix for name, d in symbols.definitions.items() if d.depends & private}


def clauses_renamed(clauses, names):
    return [[[(p.renamed(t, names), e) for t, e in facts] for facts in clause] for clause in clauses]


def names_in(clauses):
    return {v for clause in clauses for facts in clause for term, _ in facts for v in p.variables(term)}


def closure(thread, terms, path):
    """The clauses of a path, and the definitions of all variables in them and in the terms."""
    symbols, seen, clauses = thread.symbols, set(), list(path)
    work = {v for t in terms for v in p.variables(t)} | names_in(clauses)
    while work:
        name = min(work)  # in an order that is the same in each run, as the search depends on it
        work.remove(name)
        seen.add(name)
        new = symbols.definitions[name].clauses
        clauses += new
        work |= names_in(new) - seen
    return clauses


def size_of(thread, access):
    """(bytes of its array, the number of which the array's address is a multiple)"""
    if access.space == "global":
        return thread.contract.arrays[access.array], thread.contract.alignments[access.array]
    if access.space == "local":
        size, alignment = thread.kernel.local[access.array]
        return p.constant(size), alignment
    return thread.shared[access.array]


def bounds_of(thread, number):
    access = thread.accesses[number]
    size, alignment = size_of(thread, access)
    within = p.minus(size, p.plus(access.offset, p.constant(access.width)))
    rest = p.minus(access.offset, p.scaled(p.variable("multiple"), access.width))
    wrong = {"begin": [(p.minus(p.constant(-1), access.offset), False)],
             "end": [(p.minus(p.constant(-1), within), False)],
             "aligned": [at_least(rest, p.constant(1)), less(rest, p.constant(access.width))]}
    if alignment % access.width:
        wrong["aligned"] = []
    for case, opposite in wrong.items():
        facts, clauses = thread.symbols.relevant([access.offset, size], access.clauses)
        yield {"kind": "bounds", "accesses": [number], "case": case}, facts + opposite, clauses, None


def conflicts(one, other):
    kinds = {one.kind, other.kind}
    agree = kinds == {"read"} or (kinds == {"atomic"} and one.width == other.width)
    return one.array == other.array and one.space == other.space != "local" and not agree


def overlapping(one, other, names):
    """Facts: the two touch the same byte."""
    a, b = p.renamed(one.offset, names[0]), p.renamed(other.offset, names[1])
    return [less(a, p.plus(b, p.constant(other.width))), less(b, p.plus(a, p.constant(one.width)))]


def different_threads(block):
    names = [name for name, size in zip(NAMES, block) if size > 1]
    pairs = [(p.variable(name + "'1"), p.variable(name + "'2")) for name in names]
    return [[less(a, b)] for pair in pairs for a, b in (pair, pair[::-1])]


def different_warps(block):
    """Clauses: the numbers of the two threads' warps, warp'1 and warp'2, differ."""
    across, down, _ = block
    clauses = []
    for suffix in ("'1", "'2"):
        x, y, z = (p.variable(name + suffix) if size > 1 else {} for name, size in zip(NAMES, block))
        rest = p.minus(p.plus(x, p.scaled(y, across), p.scaled(z, across * down)), p.scaled(p.variable("warp" + suffix), 32))
        clauses += [[[(rest, False)]], [[less(rest, p.constant(32))]]]
    one, other = p.variable("warp'1"), p.variable("warp'2")
    return [*clauses, [[less(one, other)], [less(other, one)]]]


def meetings(one, other):
    """Lists of facts: in which rounds two threads are in the same segment at these accesses."""
    found = []
    for name, rounds in sorted(one.segments, key=str):
        for other_name, other_rounds in sorted(other.segments, key=str):
            if name == other_name:
                facts = [equal(round_of(a, "'1"), round_of(b, "'2")) for a, b in zip_longest(rounds, other_rounds)]
                if facts not in found:
                    found.append(facts)
    return found


def round_of(round_and_shift, suffix):
    return {} if round_and_shift is None else p.plus(p.variable(round_and_shift[0] + suffix), p.constant(round_and_shift[1]))


def pair(thread, numbers, private, extra):
    one, other = (thread.accesses[n] for n in numbers)
    names = [renaming(thread.symbols, private, suffix) for suffix in ("'1", "'2")]
    clauses = []
    for access, of in ((one, names[0]), (other, names[1])):
        rounds = [p.variable(r) for _, rounds in access.segments for r, _ in rounds]
        tids = [p.variable(name) for name, size in zip(NAMES, thread.contract.block) if size > 1]
        terms = [access.offset, p.variable("ctaid.x"), *tids, *rounds]
        clauses = clauses + clauses_renamed(closure(thread, terms, access.clauses + thread.contract.clauses), of)
    facts, rest = flattened(clauses + extra)
    near = p.variables(p.renamed(one.offset, names[0])) | p.variables(p.renamed(other.offset, names[1]))
    return facts + overlapping(one, other, names), rest, near


def pairs_of(thread):
    block = thread.contract.block
    for i, one in enumerate(thread.accesses):
        for j in range(i, len(thread.accesses)):
            other = thread.accesses[j]
            if not conflicts(one, other):
                continue
            for case, facts in enumerate(meetings(one, other)):
                extra = [[[fact]] for fact in facts] + [different_threads(block)]
                if not one.warp_segments & other.warp_segments:
                    extra += different_warps(block)
                yield ({"kind": "block", "accesses": [i, j], "case": case}, *pair(thread, (i, j), {THREAD, ROUND}, extra))
            if one.space == "global":
                a, b = p.variable("ctaid.x'1"), p.variable("ctaid.x'2")
                extra = [[[less(a, b)], [less(b, a)]]]
                yield ({"kind": "grid", "accesses": [i, j], "case": 0}, *pair(thread, (i, j), {THREAD, ROUND, BLOCK}, extra))


def obligations_of(thread):
    """({kind, accesses, case}, facts, clauses, names), of which facts and clauses must contradict each other. The last two facts
    of a pair say that both touch the same byte, and the names are the variables of their offsets."""
    for number in range(len(thread.accesses)):
        yield from bounds_of(thread, number)
    yield from pairs_of(thread)
# SPDX-License-Identifier: MIT
