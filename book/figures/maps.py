"""Maps of one warp instruction: lanes to banks, lanes to sectors, lanes to lanes, elements to banks."""
import traced

LEFT = 28
CELL = 20.3


def x_of(k):
    return LEFT + k * CELL


def ticks(drawing, y, what, step=8):
    """Numbers 0, 8, 16, 24 and 31 at a row of 32 cells, and what they count."""
    for k in [*range(0, traced.WARP, step), traced.WARP - 1]:
        drawing.text(x_of(k) + CELL / 2, y, f"{what} {k}" if k == 0 else k, "middle" if k else "start", size=17,
                     **({} if k else {"dx": number_shift()}))


def number_shift():
    return -CELL / 2


def banks(drawing, y, step, heading):
    """Lanes above, banks below. Lines of lanes 16 to 31 are dashed. A bank asked for two words or more is hatched.
    Returns where it ends."""
    passes = traced.wavefronts(step)
    drawing.text(0, y + 10, heading, font_weight="bold")
    drawing.text(drawing.width, y + 10, f"{passes} pass{'es' if passes > 1 else ''}", "end", font_weight="bold")
    lanes_y, banks_y, height = y + 50, y + 150, 18
    ticks(drawing, lanes_y - 14, "lane")
    ticks(drawing, banks_y + height + 14, "bank")
    drawing.cells([(x_of(k), lanes_y) for k in range(traced.WARP)], CELL - 2, height, "tint")
    asked = {}
    for lane, bank in zip(traced.lanes(step["mask"]), step["banks"]):
        asked.setdefault(bank, []).append(lane)
        drawing.line(x_of(lane) + CELL / 2 - 1, lanes_y + height, x_of(bank) + CELL / 2 - 1, banks_y,
                     "link" if lane < 16 else "ink dashed")
    for bank in range(traced.WARP):
        count = len(asked.get(bank, []))
        drawing.box(x_of(bank), banks_y, CELL - 2, height, "off" if count == 0 else "tint" if count == 1 else "second")
    return banks_y + height + 30


def coalescing(drawing, y, step, heading):
    """Lanes above, the sectors that they touch below, as many as there are, filled where a lane asked for the bytes.
    Returns where it ends."""
    sectors, words = traced.sectors(step), traced.words(step)
    first = min(step["addresses"]) // traced.SECTOR
    drawing.text(0, y + 10, heading, font_weight="bold")
    drawing.text(drawing.width, y + 10, f"{len(sectors)} sectors, {share(step, sectors)} used", "end", font_weight="bold")
    lanes_y, sectors_y, height = y + 50, y + 130, 22
    ticks(drawing, lanes_y - 14, "lane")
    drawing.cells([(x_of(k), lanes_y) for k in traced.lanes(step["mask"])], CELL - 2, 18, "tint")
    pitch = traced.WARP * CELL / len(sectors)
    gap = 3 if len(sectors) > 8 else 6
    word = (pitch - gap) / 8
    for k in range(len(sectors)):
        drawing.box(x_of(0) + k * pitch, sectors_y, pitch - gap, height, "frame")
    filled = []
    for lane, index in words.items():
        place = sectors.index(first + index // 8)
        x = x_of(0) + place * pitch + index % 8 * word
        filled.append((x, sectors_y))
        drawing.line(x_of(lane) + CELL / 2 - 1, lanes_y + 18, x + word / 2, sectors_y, "link")
    drawing.cells(filled, max(word - 0.6, word * 0.8), height)
    drawing.text(x_of(0), sectors_y + height + 16, "sectors of 32 bytes", size=17)
    return sectors_y + height + 30


def share(step, sectors):
    used = len(step["addresses"]) * step["bytes"]
    moved = len(sectors) * traced.SECTOR
    return "all" if used == moved else f"1/{moved // used}" if moved % used == 0 else f"{used} of {moved} bytes"


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
    drawing.text(x + extent / 2, top + extent + 20, f"{passes} wavefront{'s' if passes > 1 else ''}", "middle")
    return top + extent + 32
