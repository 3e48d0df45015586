"""Maps of one warp instruction: lanes to banks, lanes to sectors, lanes to lanes, elements to banks."""

import traced

LEFT = 28
CELL = 20.3


def x_of(k):
    return LEFT + k * CELL


def ticks(drawing, y, what, step=8):
    """Numbers 0, 8, 16, 24 and 31 at a row of 32 cells, and what they count."""
    for k in [*range(0, traced.WARP, step), traced.WARP - 1]:
        drawing.text(
            x_of(k) + CELL / 2,
            y,
            f"{what} {k}" if k == 0 else k,
            "middle" if k else "start",
            size=17,
            **({} if k else {"dx": -CELL / 2}),
        )


def plural(count, what, ending="s"):
    return f"{count} {what}{ending if count > 1 else ''}"


def banks(drawing, y, step, heading, distance=80):
    """Lanes above, banks below, `distance` between them. Lines of lanes 16 to 31 are dashed. A bank asked for
    two words or more is hatched. Returns where it ends."""
    passes = traced.wavefronts(step)
    drawing.text(0, y + 10, heading, font_weight="bold")
    drawing.text(drawing.width, y + 10, plural(passes, "pass", "es"), "end", font_weight="bold")
    lanes_y, banks_y, height = y + 50, y + 68 + distance, 18
    ticks(drawing, lanes_y - 14, "lane")
    ticks(drawing, banks_y + height + 14, "bank")
    drawing.cells([(x_of(k), lanes_y) for k in range(traced.WARP)], CELL - 2, height, "tint")
    asked = {}
    width = " thin" if len(set(step["banks"])) < 8 else ""  # or the lines to one bank become a blot
    for lane, bank, address in zip(traced.lanes(step["mask"]), step["banks"], step["addresses"]):
        asked.setdefault(bank, set()).add(address)
        drawing.line(
            x_of(lane) + CELL / 2 - 1,
            lanes_y + height,
            x_of(bank) + CELL / 2 - 1,
            banks_y,
            ("link" if lane < 16 else "ink dashed") + width,
        )
    for bank in range(traced.WARP):
        count = len(asked.get(bank, ()))
        drawing.box(
            x_of(bank), banks_y, CELL - 2, height, "off" if count == 0 else "tint" if count == 1 else "second"
        )
    return banks_y + height + 30


def coalescing(drawing, y, step, heading, distance=62):
    """Lanes above, the sectors that they touch below, as many as there are, filled where a lane asked for the
    bytes. The 8 floats of a sector lie side by side where there is room, else below each other. Returns where
    it ends."""
    sectors, words = traced.sectors(step), traced.words(step)
    first = min(step["addresses"]) // traced.SECTOR
    drawing.text(0, y + 10, heading, font_weight="bold")
    drawing.text(
        drawing.width,
        y + 10,
        f"{plural(len(sectors), 'sector')}, {share(step, sectors)} used",
        "end",
        font_weight="bold",
    )
    lanes_y, sectors_y = y + 50, y + 68 + distance
    ticks(drawing, lanes_y - 14, "lane")
    drawing.cells([(x_of(k), lanes_y) for k in traced.lanes(step["mask"])], CELL - 2, 18, "tint")
    pitch = traced.WARP * CELL / max(len(sectors), 4)
    is_narrow = pitch < 40
    width, height = ((pitch - 3), 6) if is_narrow else ((pitch - 6) / 8, 22)
    columns, rows = (1, 8) if is_narrow else (8, 1)
    filled = []
    for lane, index in words.items():
        x = x_of(0) + sectors.index(first + index // 8) * pitch + index % 8 % columns * width
        filled.append((x, sectors_y + index % 8 // columns * height))
        drawing.line(
            x_of(lane) + CELL / 2 - 1,
            lanes_y + 18,
            x + width / 2,
            sectors_y,
            "link" if len(sectors) > 1 else "link thin",
        )
    drawing.cells(filled, width, height)
    for k in range(len(sectors)):
        drawing.grid(x_of(0) + k * pitch, sectors_y, columns, rows, width, height)
    bottom = sectors_y + rows * height
    drawing.text(x_of(0), bottom + 16, f"{plural(len(sectors), 'sector')} of 8 floats, 32 bytes", size=17)
    return bottom + 30


def share(step, sectors):
    used = len(set(step["addresses"])) * step["bytes"]
    moved = len(sectors) * traced.SECTOR
    if used == moved:
        return "all"
    return f"{used} of {moved} bytes" if moved % used else f"1/{moved // used}"


def tile_banks(drawing, x, y, step, title, size=6):
    """The slots of one request in the tile: rows downwards, banks across. `step`: the load of a column."""
    extent = traced.WARP * size
    drawing.text(x + extent / 2, y + 8, title, "middle", font_weight="bold")
    top = y + 52
    drawing.text(x, top - 16, "bank 0", size=17)
    drawing.text(x + extent, top - 16, "31", "end", size=17)
    drawing.box(x, top, extent, extent, "frame")
    for k in range(8, traced.WARP, 8):
        drawing.line(x + k * size, top, x + k * size, top + extent, "faint")
        drawing.line(x, top + k * size, x + extent, top + k * size, "faint")
    drawing.cells([(x + bank * size, top + row * size) for row, bank in enumerate(step["banks"])], size, size)
    passes = traced.wavefronts(step)
    drawing.text(x + extent / 2, top + extent + 20, plural(passes, "wavefront"), "middle")
    return top + extent + 32
# SPDX-License-Identifier: MIT
