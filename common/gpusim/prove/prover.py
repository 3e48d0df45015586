"""Proves one kernel for every launch that its contract allows, or says why not."""
from dataclasses import dataclass, field

from . import polynomials as p
from .families import apart, families_of
from .kernels import NotUnderstood
from .obligations import obligations_of
from .overlaps import refute_overlap
from .refutation import GaveUp, refute
from .thread import Thread

BUDGET = 400
MOST_APART = 24  # members of a family that are tried one by one


@dataclass
class Verdict:
    why: str = ""  # empty: proved
    certificate: dict = field(default_factory=dict)


def prove(make_kernel, contract):
    try:
        kernel = make_kernel()
    except NotUnderstood as error:
        return Verdict(error.why)
    if unfit := does_not_fit(kernel, contract):
        return Verdict(f"{contract.where}: {unfit}")
    thread = Thread(kernel, contract)
    if allows_nothing(thread):
        return Verdict(f"{contract.where}: the contract allows no launch")
    try:
        thread.run()
    except NotUnderstood as error:
        return Verdict(f"{kernel.place(error.instruction)}: {error.why}")
    thread.accesses = families_of(thread)
    while True:
        proofs, missing = proofs_of(thread)
        if missing is None:
            return Verdict(certificate=certificate(thread, proofs))
        about, model = missing
        sizes = [len(thread.accesses[n].members) for n in about["accesses"]]
        if not any(sizes) or max(sizes) > MOST_APART:
            return Verdict(what_is_missing(thread, about, model))
        thread.accesses = apart(thread.accesses, about["accesses"])


def does_not_fit(kernel, contract):
    """What the contract says that is not so of the kernel, or ""."""
    dynamic = [name for name, (size, _) in kernel.shared.items() if size is None]
    for name in contract.shared:
        if name not in dynamic:
            return f"{name} is no dynamic shared memory of the kernel; it has {', '.join(dynamic) or 'none'}"
    if len(contract.shared) > 1:
        return f"{' and '.join(contract.shared)} begin at the same address; name one of them"
    twice = sorted(contract.arrays.keys() & (kernel.shared.keys() | kernel.local.keys()))
    return f"{twice[0]} is a parameter, and an array of the kernel as well; rename one" if twice else ""


def proofs_of(thread):
    """(proofs, None), or (proofs, what could not be shown and numbers for which to look closer)."""
    proofs = []
    for about, facts, clauses, names in obligations_of(thread):
        try:
            if about["kind"] == "bounds":
                proof = refute(facts, clauses, BUDGET)
            else:
                facts, clauses, proof = refute_overlap(facts, clauses, names, BUDGET)
        except GaveUp as error:
            return proofs, (about, error.model)
        proofs.append(about | {"facts": facts, "clauses": clauses, "proof": proof})
    return proofs, None


def allows_nothing(thread):
    """Whether the conditions of the contract contradict each other: then anything would follow."""
    names = [p.variable(name) for name in thread.contract.variables]
    try:
        refute(*thread.symbols.relevant(names, ()), BUDGET)
    except GaveUp:
        return False
    return True


def what_is_missing(thread, about, model):
    places = [thread.kernel.place(thread.accesses[n].instruction) for n in about["accesses"]]
    access = thread.accesses[about["accesses"][0]]
    numbers = ", ".join(f"{name} = {value}" for name, value in sorted(model.items())
                        if value.denominator == 1 and is_named(thread, name.split("'")[0]))
    example = f" (perhaps if {numbers})" if numbers else ""
    if about["kind"] == "bounds":
        what = {"begin": "begins within the array", "end": "ends within the array",
                "aligned": f"is at a multiple of its {access.width} bytes"}[about["case"]]
        return f"{places[0]}: it does not follow that this {access.kind} of {access.array} {what}{example}"
    of = "of one block" if about["kind"] == "block" else "of different blocks"
    two = f"{places[0]} and {places[1].rsplit(':', 1)[-1]}" if places[0] != places[1] else places[0]
    return f"{two}: it does not follow that two threads {of} touch different bytes of {access.array} here{example}"


def is_named(thread, name):
    """Whether the source has the variable too: not one that stands for a part of a condition."""
    return name in thread.contract.variables and (name.startswith(("tid.", "ctaid.")) or "." not in name)


def plain(fact):
    term, is_equality = fact
    return [[[list(monomial), c] for monomial, c in sorted(term.items())], bool(is_equality)]


def plain_clauses(clauses):
    return [[[plain(fact) for fact in facts] for facts in clause] for clause in clauses]


def plain_proof(entry):
    return entry | {"facts": [plain(f) for f in entry["facts"]], "clauses": plain_clauses(entry["clauses"])}


def plain_member(thread, access, numbers):
    return {"place": thread.kernel.place(access.instruction), "offset": plain((access.offset, False))[0],
            "clauses": plain_clauses(access.clauses), "numbers": numbers}


def certificate(thread, proofs):
    """All that check_certificate.py needs, as lists and numbers."""
    contract, definitions = thread.contract, thread.symbols.definitions
    names = {str(name): i for i, name in enumerate(sorted({str(n) for a in thread.accesses for n, _ in a.segments}))}
    warps = {name: i for i, name in enumerate(sorted({str(n) for a in thread.accesses for n in a.warp_segments}))}
    accesses = [{"place": thread.kernel.place(a.instruction), "kind": a.kind, "space": a.space, "array": a.array,
                 "offset": plain((a.offset, False))[0], "width": a.width, "clauses": plain_clauses(a.clauses),
                 "segments": [[names[str(name)], rounds] for name, rounds in sorted(a.segments, key=str)],
                 "warp_segments": sorted(warps[str(name)] for name in a.warp_segments),
                 "members": [plain_member(thread, *member) for member in a.members]} for a in thread.accesses]
    return {"kernel": thread.kernel.name, "block": list(contract.block), "where": contract.text,
            "arrays": {name: [plain((size, False))[0], contract.alignments[name]] for name, size in contract.arrays.items()},
            "shared": {name: [plain((size, False))[0], align] for name, (size, align) in thread.shared.items()},
            "local": {name: [plain((p.constant(size), False))[0], align] for name, (size, align) in thread.kernel.local.items()},
            "contract": plain_clauses(contract.clauses),
            "definitions": {name: {"clauses": plain_clauses(d.clauses), "depends": sorted(d.depends)}
                            for name, d in definitions.items()},
            "accesses": accesses, "proofs": [plain_proof(entry) for entry in proofs],
            "lemmas": [plain_proof({k: v for k, v in lemma.items() if k != "shows"}) | {"shows": plain(lemma["shows"])}
                       for lemma in thread.symbols.lemmas]}


def summary(certificate):
    accesses = sum(len(access["members"]) or 1 for access in certificate["accesses"])
    return (f"{accesses} accesses, {len(certificate['proofs'])} obligations, "
            f"{len(certificate['lemmas'])} lemmas")

# SPDX-License-Identifier: MIT
