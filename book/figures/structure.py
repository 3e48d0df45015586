"""Parts and who owns them: blocks and elements, levels and threads, chains, the machine."""

import traced


def loads_of(launches):
    """loads[block]: (thread, element) of each element that a block loads, in order; numbered over all
    blocks."""
    found = []
    for launch in launches:
        found.append(
            [
                (step["warp"] * traced.WARP + lane, address)
                for step in traced.accesses(launch["steps"], "load", "global")
                for lane, address in zip(traced.lanes(step["mask"]), step["addresses"])
            ]
        )
    base = min(address for block in found for _, address in block)
    return [[(thread, (address - base) // traced.FLOAT) for thread, address in block] for block in found]


def plan(drawing, y, launches, heading, cell_elements):
    """The input as a row of cells of `cell_elements`, each with the number of its block; block 1 is tinted,
    and an arrow leads from its thread 0's first element to its second. Returns where it ends."""
    loads = loads_of(launches)
    owner = {element: block for block, pairs in enumerate(loads) for _, element in pairs}
    cells = len(owner) // cell_elements
    pitch, height = drawing.width / cells, 30
    drawing.text(0, y + 10, heading, font_weight="bold")
    y += 28
    for cell in range(cells):
        owners = {owner[element] for element in range(cell * cell_elements, (cell + 1) * cell_elements)}
        assert len(owners) == 1, "a cell belongs to one block"
        block = owners.pop()
        drawing.box(cell * pitch, y, pitch, height, "tint" if block == 1 else "off")
        drawing.text(
            (cell + 0.5) * pitch, y + height / 2, block if cells > 8 else f"block {block}", "middle", size=17
        )
    first, second = [element for thread, element in loads[1] if thread == 0]
    scale = pitch / cell_elements
    low = y + height + 26
    drawing.line(first * scale + 1, y + height, first * scale + 1, low, "link")
    drawing.line(first * scale, low, second * scale + 1, low, "link")
    drawing.arrow(second * scale + 1, low, second * scale + 1, y + height + 1, "link")
    drawing.text(first * scale - 6, low - 8, first, "end", size=17)
    drawing.text(second * scale + 8, low - 8, second, size=17)
    return low + 4


def grid_stride(drawing, y, launches):
    """Elements in one row; a cell bears the number of the block that adds it. Returns where it ends."""
    loads = loads_of(launches)
    owner = {element: block for block, pairs in enumerate(loads) for _, element in pairs}
    n, blocks = len(owner), len(loads)
    threads = launches[0]["block"][0]
    stride = blocks * threads
    cell, height = drawing.width / n, 30
    row = y + 62
    for k, begin in enumerate(range(0, n, stride)):
        end = min(begin + stride, n)
        drawing.polyline(
            [
                (begin * cell + 2, row - 10),
                (begin * cell + 2, row - 24),
                (end * cell - 3, row - 24),
                (end * cell - 3, row - 10),
            ]
        )
        drawing.text((begin + end) / 2 * cell, y + 16, f"round {k + 1}", "middle")
    for element in range(n):
        drawing.box(element * cell, row, cell, height, ("tint", "off", "shade")[owner[element]])
        drawing.text((element + 0.5) * cell, row + height / 2, owner[element], "middle", size=17)
    for element in (0, 5, 17, n - 1):
        drawing.text(
            min(max((element + 0.5) * cell, 5), drawing.width - 10),
            row + height + 16,
            element,
            "middle",
            size=17,
        )
    low = row + height + 50
    of_thread = [element for thread, element in loads[1] if thread == 1]
    first, second = ((element + 0.5) * cell for element in of_thread[:2])
    drawing.line(first, row + height + 28, first, low, "link")
    drawing.line(first, low, second + 1, low, "link")
    drawing.arrow(second, low, second, row + height + 28, "link")
    drawing.text((first + second) / 2, low - 14, f"stride = {stride} threads", "middle")
    drawing.text(0, low + 26, f"Thread 1 of block 1 adds elements {' and '.join(map(str, of_thread))}.")
    last = {owner[element] for element in range(n // stride * stride, n)}
    idle = [str(block) for block in range(blocks) if block not in last]
    drawing.text(
        0,
        low + 52,
        f"Round {-(-n // stride)}: blocks {' and '.join(idle)} have no element left and leave the loop.",
    )
    return low + 64


def levels(drawing, y, launches):
    """`launches`: {threads: launch}. Rows: threads; columns: levels, where a cell is filled if warps store on
    it."""

    def pairs_of(launch):
        """The pairs of each level that ends at a barrier."""
        return [sum(map(len, row)) for row in traced.stores_by_phase(launch, "shared")[1:-1]]

    columns = sorted({pairs for launch in launches.values() for pairs in pairs_of(launch)}, reverse=True)
    left, pitch, width, height, step = 118, 92, 72, 26, 40
    for k, pairs in enumerate(columns):
        drawing.text(left + k * pitch + width / 2, y + 10, pairs, "middle", size=17)
    drawing.text(0, y + 10, "pairs", size=17)
    x = left + len(columns) * pitch
    drawing.text(drawing.width, y + 10, "last warp: 32 … 1", "end", size=17)
    y += 30
    for threads, launch in launches.items():
        drawing.text(0, y + height / 2, f"{threads} threads", size=17)
        own = pairs_of(launch)
        for k, pairs in enumerate(columns):
            drawing.box(left + k * pitch, y, width, height, "on" if pairs in own else "off")
            if pairs in own:
                drawing.line(
                    left + k * pitch + width + 10,
                    y - 4,
                    left + k * pitch + width + 10,
                    y + height + 4,
                    "barrier",
                )
        tail = traced.stores_by_phase(launch, "shared")[-1]
        drawing.box(x, y, drawing.width - x - 2, height, "on" if tail[0] and not any(tail[1:]) else "off")
        y += step
    drawing.line(left, y - 2, left, y + 22, "barrier")
    drawing.text(left + 14, y + 10, "a barrier")
    return y + 26


def chains(drawing, y, additions, accumulators, x, title):
    """Additions as boxes, time downwards; an arrow where one waits for the one before. Then those that join
    the accumulators, one after the other. Returns where it ends."""
    width, height, step, pitch = 64, 26, 44, 88
    drawing.text(x, y + 10, title, font_weight="bold")
    y += 28
    for k in range(additions):
        column, row = k % accumulators, k // accumulators
        left, top = x + column * pitch, y + row * step
        drawing.box(left, top, width, height, "tint")
        drawing.text(left + width / 2, top + height / 2, f"+ [{k}]", "middle", size=17)
        if row:
            drawing.arrow(left + width / 2, top - step + height, left + width / 2, top - 1, "link")
    rows = additions // accumulators
    for k in range(1, accumulators):
        top = y + (rows + k - 1) * step
        drawing.box(x, top, width, height, "shade")
        drawing.text(x + width / 2, top + height / 2, "join", "middle", size=17)
        drawing.arrow(x + width / 2, top - step + height, x + width / 2, top - 1, "link")
        from_x = x + k * pitch + width / 2
        drawing.line(from_x, y + (rows - 1) * step + height, from_x, top + height / 2, "link")
        drawing.arrow(from_x, top + height / 2, x + width + 1, top + height / 2, "link")
    return y + (rows + accumulators - 1) * step


def machine(drawing):
    """Grid, block, warp, lane, each a part of the one above, with the memory that it can reach."""

    def storey(y, title, memory):
        drawing.text(0, y + 10, title, font_weight="bold")
        drawing.text(drawing.width, y + 10, memory, "end", size=17)

    storey(0, "A grid of blocks", "all blocks: global memory")
    for k in range(8):
        drawing.box(k * 85, 26, 75, 40, "tint" if k == 1 else "off")
        drawing.text(k * 85 + 37, 46, f"block {k}" if k < 7 else "…", "middle", size=17)
    drawing.polyline([(85, 68), (0, 116)], "ink dashed")
    drawing.polyline([(160, 68), (drawing.width, 116)], "ink dashed")
    storey(122, "A block of 8 warps", "one block: its shared memory")
    for k in range(8):
        drawing.box(k * 85, 148, 75, 40, "tint" if k == 2 else "off")
        drawing.text(k * 85 + 37, 168, f"warp {k}", "middle", size=17)
    drawing.polyline([(170, 190), (0, 238)], "ink dashed")
    drawing.polyline([(245, 190), (drawing.width, 238)], "ink dashed")
    storey(244, "A warp of 32 lanes: one instruction", "one lane: its registers")
    cell = drawing.width / traced.WARP
    drawing.cells([(k * cell, 270) for k in range(traced.WARP)], cell - 3, 36, "tint")
    for y, what, first in ((322, "lane", 0), (346, "thread", 2 * traced.WARP)):
        for k in (0, 8, 16, 24, 31):
            drawing.text(
                k * cell + (cell - 3) / 2 - (0 if k else 9),
                y,
                first + k if k else f"{what} {first}",
                "middle" if k else "start",
                size=17,
            )
    return 358


def tile_traffic(drawing, y, launch, heading, tile_name, x, width):
    """A block above, global memory below, and between them the requests of its warps; with `tile_name` a tile
    in the block. Numbers are counted in the trace. Returns where it ends."""

    def count(kind, space):
        return len(traced.accesses(launch["steps"], kind, space))

    threads = traced.warps(launch) * traced.WARP
    levels_of = len(traced.levels(launch, "shared" if tile_name else "global"))
    middle = x + width / 2
    drawing.text(x, y + 10, heading, font_weight="bold")
    drawing.box(x, y + 26, width, 190, "frame")
    drawing.text(middle, y + 44, "block", "middle")
    drawing.box(x + 20, y + 60, width - 40, 34, "tint")
    drawing.text(middle, y + 77, f"{threads} threads", "middle")
    if tile_name:
        arrows(drawing, x + 20, width - 40, y + 96, y + 164, levels_of)
        drawing.label(middle, y + 130, f"{count('load', 'shared')} loads, {count('store', 'shared')} stores")
        drawing.box(x + 20, y + 166, width - 40, 38, "shade")
        drawing.text(middle, y + 185, tile_name, "middle")
        drawing.arrow(x + 60, y + 308, x + 60, y + 206, "link thick")
        drawing.arrow(x + width - 60, y + 206, x + width - 60, y + 308, "link thick")
        drawing.text(x + 72, y + 254, f"{count('load', 'global')} loads")
        drawing.text(x + width - 72, y + 274, f"{count('store', 'global')} store", "end")
    else:
        arrows(drawing, x + 20, width - 40, y + 96, y + 308, levels_of)
        drawing.label(middle, y + 264, f"{count('load', 'global')} loads, {count('store', 'global')} stores")
    drawing.box(x, y + 310, width, 38, "shade")
    drawing.text(middle, y + 329, "global memory", "middle")
    return y + 350


def arrows(drawing, x, width, top, bottom, pairs):
    """To and fro, `pairs` times."""
    pitch = width / pairs
    for k in range(pairs):
        drawing.arrow(x + (k + 0.3) * pitch, bottom, x + (k + 0.3) * pitch, top, "link")
        drawing.arrow(x + (k + 0.7) * pitch, top, x + (k + 0.7) * pitch, bottom, "ink")
# SPDX-License-Identifier: MIT
