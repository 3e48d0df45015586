"""What warps and lanes do one after the other."""

import traced
from svg import TEXT


def is_work(steps):
    return any(
        step["kind"] in ("load", "store") and step.get("space") in ("global", "shared") for step in steps
    )


def barriers(drawing, y, launch, heading, columns):
    """Warps downwards, time to the right in `columns` stretches of equal length; a stretch between two
    barriers takes one, the last of warp 0 all that are left. Filled: the warp loads, adds or stores. Returns
    where it ends."""
    left, height, step = 68, 14, 23
    pitch = (drawing.width - left) / columns
    warps = traced.warps(launch)
    parts = [traced.phases(launch, warp) for warp in range(warps)]
    waits = len(parts[0]) - 1
    syncs = sum(s["kind"] == "warp_sync" for s in parts[0][-1])
    drawing.text(0, y + 10, heading, font_weight="bold")
    drawing.text(
        drawing.width, y + 10, f"{waits} barriers for all" + (f", {syncs} __syncwarp" if syncs else ""), "end"
    )
    y += 36
    for warp, phases in enumerate(parts):
        top = y + warp * step
        drawing.text(0, top + height / 2, f"warp {warp}", size=17)
        ends = left + (columns if is_work(phases[-1]) else waits) * pitch
        drawing.line(left, top + height / 2, ends, top + height / 2, "ink thin")
        for k, phase in enumerate(phases):
            if is_work(phase):
                begins = left + k * pitch + 5
                stretch = (columns - waits if k == waits else 1) * pitch - 10
                drawing.box(begins, top, stretch, height, "on")
                count = sum(s["kind"] == "warp_sync" for s in phase)
                for sync in range(count):
                    x = begins + stretch * (sync + 1) / (count + 1)
                    drawing.line(x, top - 4, x, top + height + 4, "ink")
    bottom = y + warps * step
    for k in range(waits):
        drawing.line(left + (k + 1) * pitch, y - 6, left + (k + 1) * pitch, bottom, "barrier")
    if waits + 1 < columns:
        drawing.text(
            left + (waits + columns) / 2 * pitch, y + warps / 2 * step + 6, "these warps have ended", "middle"
        )
    return bottom


def additions(launch):
    """The additions of a tail, in the order in which they ran: a list of moments, each a list of
    (lane, element read from another lane, the addition that wrote it or None, the sum if all elements are 1).
    An addition is named (moment, lane)."""
    writer, value, moments = {}, {}, []
    loads = {}
    for step in (step for step in traced.steps_of(launch, 0) if step.get("space") == "shared"):
        pairs = list(zip(traced.lanes(step["mask"]), step["addresses"]))
        if step["kind"] == "load":
            for lane, address in pairs:
                loads.setdefault(lane, []).append(
                    (address // traced.FLOAT, writer.get(address), value[address])
                )
            continue
        if not any(loads.get(lane) for lane, _ in pairs):  # before the barrier
            value.update({address: 1 for _, address in pairs})
            continue
        moment = []
        for lane, address in pairs:
            read = loads.pop(lane)
            element, by, _ = next(entry for entry in read if entry[0] != lane)
            total = sum(entry[2] for entry in read)
            moment.append((lane, element, by, total))
            value[address] = total
        for lane, address in pairs:
            writer[address] = (len(moments), lane)
        moments.append(moment)
    return moments


def order(drawing, y, launch, heading):
    """Lanes downwards, time to the right. Tinted: reads what another lane has written, from where the arrow
    begins; outlined: reads an element of the input. Returns where it ends."""
    moments = additions(launch)
    left, width, height, step = 68, 44, 26, 40
    pitch = (drawing.width - left - width) / max(len(moments) - 1, 1)
    has_one_lane = all(len(moment) == 1 for moment in moments)
    if not has_one_lane:
        pitch = min(pitch, 190)
    total = next(total for moment in reversed(moments) for lane, _, _, total in moment if lane == 0)
    drawing.text(0, y + 10, heading, font_weight="bold")
    drawing.text(drawing.width, y + 10, f"of 8 ones lane 0 gets {total}", "end")
    y += 32

    def place(moment, lane):
        return left + moment * pitch, y + lane * step

    for lane in range(4):
        drawing.text(0, y + lane * step + height / 2, f"lane {lane}", size=17)
    for k, moment in enumerate(moments):
        for lane, element, by, _ in moment:
            x, top = place(k, lane)
            drawing.box(x, top, width, height, "tint" if by else "off")
            drawing.text(x + width / 2, top + height / 2, f"+[{element}]", "middle", size=17)
            if by:
                from_x, from_top = place(*by)
                if has_one_lane:  # at a time: along the row of the writer, then up to the reader
                    drawing.line(
                        from_x + width,
                        from_top + height / 2,
                        x + width / 2 + 1,
                        from_top + height / 2,
                        "link",
                    )
                    drawing.arrow(
                        x + width / 2, from_top + height / 2, x + width / 2, top + height + 1, "link"
                    )
                else:
                    drawing.arrow(from_x + width, from_top + height / 2, x, top + height / 2 + 4, "link")
    return y + 4 * step


WORDS = {
    "setp": "compare",
    "bra": "jump",
    "shr": "halve the stride",
    "mov": "copy",
    "mul": "address",
    "add": "address",
    "bar": "barrier",
    "ld": "load",
    "st": "store",
}


def instructions(drawing, x, y, launch, warp, heading, title):
    """What a warp executes between the first barrier and the end, downwards; bookkeeping is hatched. Returns
    where it ends."""
    steps = traced.steps_of(launch, warp)
    begin = next(k for k, step in enumerate(steps) if step["kind"] == "barrier") + 1
    steps = [step for step in steps[begin:] if step["kind"] != "leave"]
    end = max(k for k, step in enumerate(steps) if step["kind"] == "barrier") + 1
    steps = steps[:end]
    width, height = 322, 23
    drawing.text(x, y + 10, heading, font_weight="bold")
    drawing.text(x, y + 34, title)
    y += 54
    work = 0
    for step in steps:
        op = step["op"]
        is_bookkeeping = step["kind"] in ("instr", "branch") and op != "add.f32"
        work += not is_bookkeeping
        word = "add" if op == "add.f32" else WORDS.get(op.split(".")[0], "")
        if is_bookkeeping:
            drawing.box(x, y, 16, height - 3, "second")
            drawing.box(x + 16, y, width - 16, height - 3, "off")
        else:
            drawing.box(x, y, 16, height - 3, "on")
            drawing.box(x + 16, y, width - 16, height - 3, "tint")
        drawing.text(x + 26, y + height / 2 - 1.5, word, size=17)
        drawing.text(x + width - 8, y + height / 2 - 1.5, op, "end", size=17)
        y += height
    drawing.text(x, y + TEXT, f"work: {work}, bookkeeping: {len(steps) - work}")
    return y + 2 * TEXT
# SPDX-License-Identifier: MIT
