#!/usr/bin/env python3
"""certificates_test.py SIMCC

A certificate of the prover is accepted; one with a single change that makes it wrong is rejected. The changes are of the proofs,
of what must be proved, and of what may be used for it.
"""
import copy
import sys

import proving
from proving import ROOT


def certificate_of(simcc, chapter, kernel):
    contracts = proving.contracts_of_chapter(chapter)
    kernels = ROOT / "solutions" / chapter / "kernels.cuh"
    for title, why, certificate in proving.proved_in(simcc, kernels, chapter, contracts):
        if title.startswith(kernel) and not why:
            return certificate
    sys.exit(f"{kernel} of {chapter} is not proved")


def nodes(proof):
    yield proof
    if proof["end"][0] != "false":
        for branch in proof["end"][2]:
            yield from nodes(branch)


def first(certificate, fits):
    """The first node of a proof that fits, and its entry."""
    for entry in certificate["proofs"]:
        for node in nodes(entry["proof"]):
            if fits(node, entry):
                return node, entry
    sys.exit("no proof has what a change needs")


def step_with_inequality(node, entry):
    return any(step[0] == "sum" and any(i < len(entry["facts"]) and not entry["facts"][i][1] and c > 0 for i, c in step[1])
               for step in node["steps"])


def subtract_an_inequality(c):
    node, entry = first(c, step_with_inequality)
    for step in node["steps"]:
        for part in step[1]:
            if step[0] == "sum" and part[0] < len(entry["facts"]) and not entry["facts"][part[0]][1] and part[1] > 0:
                part[1] = -part[1]
                return


def round_in_the_wrong_place(c):
    node, _ = first(c, lambda node, _: any(step[0] == "sum" and step[2] > 1 for step in node["steps"]))
    next(step for step in node["steps"] if step[0] == "sum" and step[2] > 1)[2] *= 1000003


def end_with_a_fact(c):
    node, entry = first(c, lambda node, entry: node["end"][0] == "false" and node["steps"])
    node["end"] = ["false", 0]


def leave_out_a_case(c):
    node, _ = first(c, lambda node, _: node["end"][0] == "clause")
    node["end"][2].pop()


def assume_the_contradiction(c):
    entry = c["proofs"][0]
    entry["facts"].append([[[[], -1]], False])
    entry["proof"] = {"steps": [], "keep": [], "end": ["false", len(entry["facts"]) - 1]}


def shorten_a_clause(c):
    _, entry = first(c, lambda node, entry: node["end"][0] == "clause")
    entry["clauses"] = [clause[:1] for clause in entry["clauses"]]


def leave_out_a_proof(c):
    c["proofs"].pop()


def move_an_access(c):
    access = next(a for a in c["accesses"] if a["space"] == "shared")
    access["offset"] = [*access["offset"], [[], 4096]]


def widen_an_access(c):
    c["accesses"][0]["width"] *= 2


def write_where_it_reads(c):
    next(a for a in c["accesses"] if a["kind"] == "read" and a["space"] == "shared")["kind"] = "write"


def forget_the_barriers(c):
    for access in c["accesses"]:
        access["segments"], access["warp_segments"] = [[0, []]], [0]


def shrink_an_array(c):
    next(iter(c["shared"].values()))[0].append([[], -4])


def call_shared_memory_local(c):
    for access in c["accesses"]:
        access["space"] = "local" if access["space"] == "shared" else access["space"]


def share_the_thread(c):
    c["definitions"]["tid.x"]["depends"] = []


def have_fewer_threads(c):
    c["definitions"]["tid.x"]["clauses"][1][0][0][0] = [[[], 0], [["tid.x"], -1]]


def share_what_depends_on_the_thread(c):
    name = next(n for n, d in c["definitions"].items() if "thread" in d["depends"] and d["clauses"] and not n.startswith("tid"))
    c["definitions"][name]["depends"] = []


def forget_a_condition(c):
    for access in c["accesses"]:
        access["clauses"] = []


def show_more_in_a_lemma(c):
    c["lemmas"][0]["shows"][0].append([[], -1])


def family(c):
    return next(a for a in c["accesses"] if a["members"] and a["members"][0]["numbers"])


def move_a_member(c):
    member = family(c)["members"][0]
    member["offset"] = [*member["offset"], [[], 4]]


def forget_the_conditions_of_a_member(c):
    family(c)["members"][0]["clauses"] = []


def give_a_member_another_number(c):
    numbers = family(c)["members"][0]["numbers"]
    numbers[next(iter(numbers))] += 1000


def share_the_number_of_a_family(c):
    c["definitions"][next(iter(family(c)["members"][0]["numbers"]))]["depends"] = []


def call_an_inequality_an_equality(c):
    node, entry = first(c, lambda node, entry: node["end"][0] == "false" and not entry["facts"][0][1])
    node["steps"].append(["equal", 0, 0])


CHANGES = [subtract_an_inequality, round_in_the_wrong_place, end_with_a_fact, leave_out_a_case, assume_the_contradiction,
           shorten_a_clause, leave_out_a_proof, move_an_access, widen_an_access, write_where_it_reads,
           forget_the_barriers, shrink_an_array, call_shared_memory_local, share_the_thread, have_fewer_threads,
           share_what_depends_on_the_thread, forget_a_condition, show_more_in_a_lemma, move_a_member,
           forget_the_conditions_of_a_member, give_a_member_another_number, share_the_number_of_a_family,
           call_an_inequality_an_equality]


def main():
    wrong = []
    certificate = certificate_of(sys.argv[1], "02_shared_memory", "sum_tile")
    if complaint := proving.is_right(certificate):
        sys.exit(f"the certificate is not accepted as it is: {complaint}")
    for change in CHANGES:
        changed = copy.deepcopy(certificate)
        changed["definitions"] = {name: copy.deepcopy(d) for name, d in certificate["definitions"].items()}
        change(changed)
        complaint = proving.is_right(changed)
        print(f"{change.__name__.replace('_', ' ')}: {complaint or 'accepted'}")
        if not complaint:
            wrong.append(f"the certificate is accepted after: {change.__name__.replace('_', ' ')}")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
# SPDX-License-Identifier: MIT
