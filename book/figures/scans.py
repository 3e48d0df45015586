"""How prefixes come about: scan trees, and the look-back of a single pass."""

import traced

CELL = 36


def additions(launch, elements):
    """For each level of a scan in shared memory a list of (element written, element added). A level lies
    between two barriers; a kernel may keep `elements` twice and read one copy while it writes the other."""
    levels = []
    for part in traced.phases(launch, 0):
        loads, level = {}, []
        for step in part:
            if step.get("space") != "shared":
                continue
            for lane, address in zip(traced.lanes(step["mask"]), step["addresses"]):
                element = address // traced.FLOAT % elements
                if step["kind"] == "load":
                    loads.setdefault(lane, set()).add(element)
                else:
                    level += [(element, added) for added in loads.pop(lane, ()) if added != element]
        if level:
            levels.append(level)
    return levels


def tree(drawing, y, levels, labels):
    """Elements across, levels downwards. A line leads from each element added to its sum; those of the way
    down, labelled so, are dashed. A cell that holds the sum of all elements up to it is tinted. Returns
    where it ends."""
    elements = 1 + max(to for level in levels for to, _ in level)
    left, height, step = drawing.width - elements * CELL - 1, 26, 64
    covers = [{element} for element in range(elements)]

    def middle(element):
        return left + (element + 0.5) * CELL

    def row(label):
        drawing.text(0, y + height / 2, label)
        for element, covered in enumerate(covers):
            is_prefix = len(covered) == element + 1
            drawing.box(left + element * CELL, y, CELL, height, "tint" if is_prefix else "off")

    row("input")
    for element in range(elements):
        drawing.text(middle(element), y + height / 2, element, "middle", size=17)
    for level, label in zip(levels, labels):
        kind = "ink dashed" if label.startswith("down") else "link"
        for element in range(elements):
            drawing.line(middle(element), y + height, middle(element), y + step, "faint")
        for to, added in level:
            drawing.line(middle(added), y + height, middle(to), y + step, kind)
        covers = [
            covered.union(*(covers[added] for to, added in level if to == element))
            for element, covered in enumerate(covers)
        ]
        y += step
        row(label)
        drawing.text(left - 4, y - (step - height) / 2, f"+ {len(level)}", "end", size=17)
    return y + height


LETTERS = {"prefix": "P", "aggregate": "A", "empty": ""}


def look_back(drawing, tiles, reader):
    """`tiles`: the state of each tile's word, by number; `reader` looks back from its own. Returns where it
    ends."""
    pitch, width, height, y = drawing.width / len(tiles), 46, 40, 84
    found = max(k for k in range(reader) if tiles[k] == "prefix")

    def middle(tile):
        return tile * pitch + width / 2

    drawing.text(middle(reader), 12, f"tile {reader} looks back", "middle", font_weight="bold")
    for tile, state in enumerate(tiles):
        drawing.box(tile * pitch, y, width, height, "tint" if state == "prefix" else "off")
        if state == "aggregate":  # half of what a prefix knows
            drawing.box(tile * pitch, y + height / 2, width, height / 2, "tint")
        drawing.text(middle(tile), y + height / 2, LETTERS[state], "middle", font_weight="bold")
        drawing.text(middle(tile), y + height + 14, tile, "middle", size=17)
    for tile in range(found, reader):
        from_x, to_x = middle(tile + 1), middle(tile)
        high = y - 34
        arc = f"C{from_x - 8:.1f} {high} {to_x + 8:.1f} {high} {to_x + 1:.1f} {y - 5}"
        drawing.add("path", "link", d=f"M{from_x:.1f} {y - 4}{arc}", marker_end=f"url(#{drawing.name}-link)")
        drawing.arrows.add("link")
        drawing.text((from_x + to_x) / 2, y - 40, f"+ {LETTERS[tiles[tile]]}", "middle", size=17)
    y += height + 46
    life = (
        ("empty", "nothing yet", ""),
        ("aggregate", "A: the tile's own sum", "needs no other block"),
        ("prefix", "P: the sum up to its end", "needs all tiles before"),
    )
    box, gap = 204, 33
    for k, (state, meaning, when) in enumerate(life):
        x = k * (box + gap)
        drawing.box(x, y, box, 34, "off" if state == "empty" else "tint")
        drawing.text(x + box / 2, y + 17, state, "middle")
        drawing.text(x, y + 52, meaning, size=17)
        if k:
            drawing.arrow(x - gap + 2, y + 17, x - 2, y + 17)
            drawing.text(x, y + 76, when, size=17)
    return y + 90
# SPDX-License-Identifier: MIT
