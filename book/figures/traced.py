"""Questions to a trace (common/gpusim/include/gpusim/trace.h): a launch is the object that to_json makes."""

WARP = 32
SECTOR = 32  # bytes
FLOAT = 4  # bytes


def lanes(mask):
    """Lanes of a mask as JSON has it, ascending."""
    return [lane for lane in range(WARP) if int(mask, 16) >> lane & 1]


def warps(launch):
    block = launch["block"]
    return (block[0] * block[1] * block[2] + WARP - 1) // WARP


def steps_of(launch, warp):
    return [step for step in launch["steps"] if step["warp"] == warp]


def phases(launch, warp):
    """The steps of a warp between one barrier and the next, as lists; the barriers are left out."""
    parts = [[]]
    for step in steps_of(launch, warp):
        if step["kind"] == "barrier":
            parts.append([])
        else:
            parts[-1].append(step)
    return parts


def accesses(steps, kind, space):
    """Those that load, store or add atomically in a space."""
    return [step for step in steps if step["kind"] == kind and step.get("space") == space]


def levels(launch, space):
    """What a tree adds: for each level a list of (thread, element written, element added), and elements are
    numbered from the lowest address. A level lies between two barriers, and a thread that stores has loaded
    two elements."""
    base = min(a for step in launch["steps"] if step.get("space") == space for a in step["addresses"])
    found = {}
    for warp in range(warps(launch)):
        for level, part in enumerate(phases(launch, warp)):
            for store in accesses(part, "store", space):
                loads = [step for step in accesses(part, "load", space) if step["mask"] == store["mask"]]
                for k, lane in enumerate(lanes(store["mask"])):
                    to = store["addresses"][k]
                    others = [load["addresses"][k] for load in loads if load["addresses"][k] != to]
                    if len(loads) == 2 and len(others) == 1:
                        found.setdefault(level, []).append(
                            (warp * WARP + lane, (to - base) // FLOAT, (others[0] - base) // FLOAT)
                        )
    return [found[level] for level in sorted(found)]


def stores_by_phase(launch, space):
    """stores[phase][warp]: the lanes that store there, between that barrier and the next."""
    by_warp = [
        [
            sorted({lane for step in accesses(part, "store", space) for lane in lanes(step["mask"])})
            for part in phases(launch, warp)
        ]
        for warp in range(warps(launch))
    ]
    return [list(row) for row in zip(*by_warp)]


def words(step):
    """word[lane]: the word of 4 bytes, numbered from the start of the first sector, that a lane on begins
    at."""
    first = min(step["addresses"]) // SECTOR * SECTOR
    return {lane: (address - first) // FLOAT for lane, address in zip(lanes(step["mask"]), step["addresses"])}


def sectors(step):
    return sorted({address // SECTOR for address in step["addresses"]})


def wavefronts(step):
    """Passes of a request of 4 bytes a lane: as many as one bank has different words to give."""
    words_of = {}
    for bank, address in zip(step["banks"], step["addresses"]):
        words_of.setdefault(bank, set()).add(address)
    return max(map(len, words_of.values()))
# SPDX-License-Identifier: MIT
