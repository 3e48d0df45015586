"""Who adds what: reduction trees, and which lanes of which warp work on which level."""

import traced

CELL = 36


LEVELS = 4  # of a drawn tree: more than 16 elements do not fit a page


def tree(drawing, y, launch, space, before):
    """Draws the last levels of a tree in place from y down and returns where it ends. Rows: the elements
    before, and after each level; a cell that holds a live sum is tinted and bears the number of the thread
    that wrote it."""
    levels = traced.levels(launch, space)[-LEVELS:]
    elements = 2 * len(levels[0])
    left, height, step = drawing.width - elements * CELL - 1, 28, 66

    def x_of(element):
        return left + element * CELL

    for element in range(elements):
        drawing.box(x_of(element), y, CELL, height, "tint")
        drawing.text(x_of(element) + CELL / 2, y + height / 2, element, "middle")
    drawing.text(0, y + height / 2, before)
    for level in levels:
        next_y = y + step
        drawing.text(0, next_y + height / 2, f"distance {abs(level[0][2] - level[0][1])}", size=17)
        live = {to: thread for thread, to, _ in level}
        drawing.cells([(x_of(e), next_y) for e in range(elements) if e not in live], CELL, height, "off")
        for thread, to, added in level:
            drawing.box(x_of(to), next_y, CELL, height, "tint")
            drawing.text(x_of(to) + CELL / 2, next_y + height / 2, f"t{thread}", "middle")
            drawing.line(x_of(to) + CELL / 2 - 4, y + height, x_of(to) + CELL / 2 - 4, next_y, "faint")
            drawing.arrow(x_of(added) + CELL / 2, y + height, x_of(to) + CELL / 2 + 6, next_y, "link")
        y = next_y
    return y + height


def working_lanes(drawing, y, launch, heading):
    """Levels downwards, warps across, a strip of 32 lanes each: filled lanes store a sum. Returns where it
    ends and the number of warps that work, over all levels."""
    rows = traced.stores_by_phase(launch, "shared")[1:]  # the first phase fills the tile
    rows = [row for row in rows if any(row)]
    distances = [abs(level[0][2] - level[0][1]) for level in traced.levels(launch, "shared")]
    left, lane, height, step = 56, 2, 18, 25
    warps = traced.warps(launch)
    pitch = traced.WARP * lane + 8
    drawing.text(0, y + 10, heading, font_weight="bold")
    y += 40
    for warp in range(warps):
        drawing.text(left + warp * pitch + 32, y, f"warp {warp}", "middle", size=17)
    drawing.text(40, y, "len", "end", size=17)
    drawing.text(drawing.width, y, "add", "end", size=17)
    y += 18
    total = 0
    for row, distance in zip(rows, distances):
        drawing.text(40, y + height / 2, distance, "end", size=17)
        for warp, on in enumerate(row):
            x = left + warp * pitch
            drawing.box(x - 2, y, traced.WARP * lane + 4, height, "frame" if on else "off")
            drawing.cells(
                [(x + k * lane, y) for k in on], lane * 0.8 if len(on) < traced.WARP else lane, height
            )
        count = sum(bool(on) for on in row)
        total += count
        drawing.text(drawing.width, y + height / 2, count, "end")
        y += step
    drawing.text(drawing.width, y + 12, f"{total} warps that add", "end", font_weight="bold")
    return y + 26


def live_grid(drawing, y, launch):
    """Warps downwards, the load and the levels across: a cell shows the 32 lanes as 4 rows of 8; between two
    columns a barrier. Returns where it ends."""
    columns = [column for column in traced.stores_by_phase(launch, "shared") if any(column)]
    distances = [abs(level[0][2] - level[0][1]) for level in traced.levels(launch, "shared")]
    left, square, row_height = 68, 6.6, 36
    pitch = (drawing.width - left) / len(columns)
    for k, title in enumerate(["load", *distances]):
        drawing.text(left + k * pitch + 4 * square, y + 8, title, "middle")
    y += 26
    for warp in range(traced.warps(launch)):
        top = y + warp * row_height
        drawing.text(0, top + 2 * square, f"warp {warp}", size=17)
        for k, column in enumerate(columns):
            x = left + k * pitch
            drawing.cells(
                [(x + lane % 8 * square, top + lane // 8 * square) for lane in column[warp]], square, square
            )
            drawing.grid(x, top, 8, 4, square, square)
    bottom = y + traced.warps(launch) * row_height
    for k in range(len(columns)):
        x = left + (k + 1) * pitch - (pitch - 8 * square) / 2 - 0.5
        drawing.line(x, y - 6, x, bottom - 4, "barrier")
    return bottom
# SPDX-License-Identifier: MIT
