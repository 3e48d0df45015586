"""How registers travel: the lanes of a warp, a swap of array elements, the sum of a block."""

import traced

LANES = traced.WARP


def used_after(shuffles):
    """used[k]: the lanes whose value is needed after k shuffles, so that lane 0 has the sum in the end."""
    used = [{0}]
    for step in reversed(shuffles):
        needed = used[0]
        used.insert(0, needed | {step["from"][lane] for lane in needed})
    return used


def shuffle_rows(drawing, y, shuffles):
    """A row of lanes before, and one after each shuffle that adds. Lines end at lanes whose sum is used
    later."""
    left, height, step = 92, 20, 72
    cell = (drawing.width - left) / LANES

    def x_of(lane):
        return left + lane * cell

    for lane in (0, 8, 16, 24, 31):
        drawing.text(
            x_of(lane) + cell / 2 + (0 if lane else -4),
            y + 8,
            lane if lane else "lane 0",
            "middle" if lane else "start",
            size=17,
        )
    y += 24
    used = used_after(shuffles)
    for k, needed in enumerate(used):
        drawing.cells([(x_of(lane), y) for lane in needed], cell - 2, height)
        drawing.cells(
            [(x_of(lane), y) for lane in range(LANES) if lane not in needed], cell - 2, height, "off"
        )
        if k == len(used) - 1:
            drawing.text(0, y + height / 2, "the sum", font_weight="bold")
            return y + height
        if k == 0:
            drawing.text(0, y + height / 2, "before")
        step_from = shuffles[k]["from"]
        distance = step_from[0]
        drawing.text(0, y + height / 2 + step / 2, f"down {distance}")
        for lane in sorted(used[k + 1]):
            drawing.line(
                x_of(step_from[lane]) + cell / 2 - 1, y + height, x_of(lane) + cell / 2 - 1, y + step, "link"
            )
            drawing.line(x_of(lane) + cell / 2 - 1, y + height, x_of(lane) + cell / 2 - 1, y + step, "faint")
        y += step
    return y


def swap(drawing, y, after):
    """`after`: 4 values of each of 4 lanes, 10 * lane + element of where each was before."""
    left, cell, height, pitch = 86, 35, 28, 150
    before = [10 * lane + element for lane in range(4) for element in range(4)]
    moved = {k for k in range(16) if before[k] != after[k]}
    partner = {k // 4: after[k] // 10 for k in moved}
    sent = {lane: 10 * lane + next(k % 4 for k in moved if k // 4 == lane) for lane in range(4)}
    rows = {"before": y + 34, "sent": y + 118, "received": y + 214, "after": y + 298}

    def middle(lane):
        return left + lane * pitch + 2 * cell

    def name(value):
        return f"{value // 10}.{value % 10}"

    for title, top in rows.items():
        drawing.text(0, top + height / 2, title)
    for lane in range(4):
        x = left + lane * pitch
        drawing.text(middle(lane), y + 12, f"lane {lane}", "middle", font_weight="bold")
        for row, values in (("before", before), ("after", after)):
            for k in range(4):
                value = values[4 * lane + k]
                drawing.box(x + k * cell, rows[row], cell, height, "tint" if 4 * lane + k in moved else "off")
                drawing.text(x + (k + 0.5) * cell, rows[row] + height / 2, name(value), "middle", size=17)
        chosen = x + (sent[lane] % 10 + 0.5) * cell
        for row, value in (("sent", sent[lane]), ("received", sent[partner[lane]])):
            drawing.box(middle(lane) - cell / 2, rows[row], cell, height, "tint")
            drawing.text(middle(lane), rows[row] + height / 2, name(value), "middle", size=17)
        drawing.arrow(chosen, rows["before"] + height, middle(lane), rows["sent"] - 2, "ink")
        drawing.arrow(
            middle(partner[lane]), rows["sent"] + height, middle(lane), rows["received"] - 2, "link"
        )
        drawing.arrow(middle(lane), rows["received"] + height, chosen, rows["after"] - 2, "ink")
    return rows["after"] + height


def block_sum(drawing, y, launch):
    """Warps, slots of shared memory, the first warp; numbers counted in the trace."""
    warps = traced.warps(launch)
    parts = [traced.phases(launch, warp) for warp in range(warps)]
    count = [[sum(step["kind"] == "shuffle" for step in phase) for phase in part] for part in parts]
    stores = sum(len(traced.accesses(part[0], "store", "shared")) for part in parts)
    loads = sum(len(traced.accesses(part[1], "load", "shared")) for part in parts)
    shuffles = sum(map(sum, count))
    pitch, lane = drawing.width / warps, 2.25

    def x_of(warp):
        return warp * pitch

    for warp in range(warps):
        x = x_of(warp)
        drawing.text(x + 36, y + 8, f"warp {warp}", "middle", size=17)
        drawing.cells([(x + k * lane, y + 22) for k in range(LANES)], lane - 0.7, 22)
        drawing.arrow(x + 22, y + 78, x + 22, y + 112, "link")
        drawing.box(x, y + 114, 44, 28, "tint")
        drawing.text(x + 22, y + 128, warp, "middle")
    drawing.text(
        0, y + 62, f"{count[0][0]} shuffles in each warp, then lane 0 stores the sum: {stores} stores"
    )
    drawing.text(0, y + 162, f"{warps} slots of shared memory")
    wait = y + 208
    drawing.line(0, wait, drawing.width, wait, "barrier")
    drawing.text(drawing.width, wait - 14, f"__syncthreads: {warps} warps wait", "end")
    top = wait + 66
    cell = 17
    for k in range(LANES):
        drawing.box(66 + k * cell, top, cell - 2, 24, "tint" if k < warps else "off")
        if k >= warps:
            drawing.text(66 + (k + 0.5) * cell - 1, top + 12, "0", "middle", size=17)
    for warp in range(warps):
        drawing.arrow(x_of(warp) + 22, wait + 6, 66 + (warp + 0.5) * cell - 1, top - 2, "link")
    drawing.text(0, top + 12, "warp 0", size=17)
    drawing.text(drawing.width, wait + 30, f"{loads} load", "end")
    drawing.arrow(66 + cell / 2 - 1, top + 26, 66 + cell / 2 - 1, top + 76, "link")
    drawing.text(90, top + 50, f"{count[0][1]} shuffles")
    drawing.box(66, top + 78, cell - 2, 24, "on")
    drawing.text(90, top + 90, "thread 0: the sum of the block")
    drawing.text(drawing.width, top + 50, f"in all {shuffles} shuffles", "end")
    return top + 102
# SPDX-License-Identifier: MIT
