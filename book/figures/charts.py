"""Charts of measured numbers, from book/data/*.json."""

import math


def bars(drawing, y, rows, unit, ceiling):
    """Horizontal bars from 0. `rows`: (label, value, kind); `ceiling`: (label, value), a line through all
    bars. The heading names the unit. Returns where it ends."""
    left, right, height, step = 206, drawing.width - 58, 22, 32
    scale = (right - left) / max(ceiling[1], *(value for _, value, _ in rows))
    drawing.text(left, y + 10, unit)
    y += 34
    bottom = y + step * len(rows)
    x = left + ceiling[1] * scale
    drawing.line(x, y - 12, x, bottom, "ink dashed")
    drawing.text(x + 4, y - 24, f"{ceiling[0]} {ceiling[1]:,.0f}", "end")
    for k, (label, value, kind) in enumerate(rows):
        top = y + k * step
        drawing.text(0, top + height / 2, label, size=17)
        drawing.box(left, top, max(value * scale, 1), height, kind)
        drawing.text(
            max(left + value * scale, x) + 6 if value > 0.8 * ceiling[1] else left + value * scale + 6,
            top + height / 2,
            f"{value:,.0f}",
            size=17,
        )
    return bottom


def logarithmic(low, high, start, end):
    """A function from a value to its place between two coordinates."""
    return lambda value: start + (end - start) * math.log(value / low) / math.log(high / low)


def linear(low, high, start, end):
    return lambda value: start + (end - start) * (value - low) / (high - low)


def axes(drawing, box, x_ticks, y_ticks, x_title, y_title):
    """`box`: left, top, right, bottom. Ticks: (coordinate, label)."""
    left, top, right, bottom = box
    for y, label in y_ticks:
        drawing.line(left, y, right, y, "faint thin")
        drawing.text(left - 8, y, label, "end", size=17)
    for x, label in x_ticks:
        drawing.line(x, bottom, x, bottom + 5, "ink")
        drawing.text(x, bottom + 22, label, "middle", size=17)
    drawing.line(left, bottom, right, bottom, "ink")
    drawing.text((left + right) / 2, bottom + 48, x_title, "middle")
    drawing.text(0, top - 22, y_title)


def roof(drawing, y, bandwidth, peak, y_ticks, x_title, y_title, memory_at):
    """Operations per second against operations per byte, both logarithmic, and what memory and arithmetic allow.
    `bandwidth` in bytes a second, `peak` in operations a second. Ticks: (value, label), the outermost ones are the
    limits. The memory's label stands at `memory_at` operations per byte. Returns both scales and the bottom."""
    x_ticks = [(1 / 16, "1/16"), (1 / 4, "1/4"), *((value, str(value)) for value in (1, 4, 16, 64)), (256, "")]
    left, top, right, bottom = 52, y + 44, drawing.width - 10, y + 350
    x_of = logarithmic(x_ticks[0][0], x_ticks[-1][0], left, right)
    y_of = logarithmic(y_ticks[0][0], y_ticks[-1][0], bottom, top)
    axes(
        drawing,
        (left, top, right, bottom),
        [(x_of(value) + (12 if k == 0 else 0), label) for k, (value, label) in enumerate(x_ticks) if label],
        [(y_of(value), label) for value, label in y_ticks if label],
        x_title,
        y_title,
    )
    ridge, least = peak / bandwidth, x_ticks[0][0]
    drawing.polyline(
        [(left, y_of(bandwidth * least)), (x_of(ridge), y_of(peak)), (right, y_of(peak))], "link thick"
    )
    drawing.text(right, y_of(peak) - 16, f"arithmetic: {peak / 1e12:g}", "end")
    drawing.text(
        x_of(memory_at) + 16, y_of(bandwidth * memory_at) + 12, f"memory: {bandwidth / 1e9:,.0f} GB/s"
    )
    return x_of, y_of, bottom


def roofline(drawing, y, bandwidth, peak, intensity, reached):
    """The roof, and under it what was `reached`: a dot each, at `intensity` additions per byte. Returns where it
    ends."""
    x_of, y_of, bottom = roof(
        drawing,
        y,
        bandwidth,
        peak,
        [(5e10, ""), *((value * 1e12, f"{value:g}") for value in (0.1, 1, 10, 100)), (2e14, "")],
        "additions for each byte that is read",
        "10¹² additions a second",
        2,
    )
    x = x_of(intensity)
    drawing.line(x, y_of(bandwidth * intensity), x, bottom, "ink dashed")
    for value in reached:
        drawing.add("circle", "on", cx=x, cy=y_of(value), r=7)
    drawing.text(x + 16, y_of(2.5e11), "sums of the chapters")
    return bottom + 62


def roofline_of_steps(drawing, y, bandwidth, peak, steps):
    """The roof, and a dot for each of `steps`: (label, multiply-adds per byte, multiply-adds a second, where the label
    stands: "start" to the right of the dot or "end" to its left, how much lower than the dot). Returns where it ends."""
    x_of, y_of, bottom = roof(
        drawing,
        y,
        bandwidth,
        peak,
        [(2e11, ""), *((value * 1e12, f"{value:g}") for value in (1, 10)), (1e14, "")],
        "multiply-adds for each byte that is asked of global memory",
        "10¹² multiply-adds a second",
        1 / 4,
    )
    for label, intensity, rate, side, lower in steps:
        x, at = x_of(intensity), y_of(rate)
        drawing.add("circle", "on", cx=x, cy=at, r=7)
        drawing.text(x + (14 if side == "start" else -14), at + lower, label, side, size=17)
    return bottom + 62


def predicted_by_measured(drawing, y, dots, near):
    """`dots`: {label: [(measured, predicted)]} in ms, the first filled and the second outlined: what was predicted divided by
    what was measured. Dashed lines where it is off by the part `near`. Returns where it ends."""
    left, top, right, bottom = 52, y + 44, drawing.width - 14, y + 400
    x_of, y_of = logarithmic(0.003, 1000, left, right), logarithmic(0.5, 2.2, bottom, top)
    axes(
        drawing,
        (left, top, right, bottom),
        [(x_of(value), f"{value:g}") for value in (0.01, 0.1, 1, 10, 100)],
        [(y_of(value), f"{value:g}") for value in (0.5, 0.75, 1, 1.25, 1.5, 2)],
        "measured ms",
        "predicted divided by measured",
    )
    drawing.line(left, y_of(1), right, y_of(1), "ink")
    for off in (1 - near, 1 + near):
        drawing.line(left, y_of(off), right, y_of(off), "ink dashed")
    for k, (label, points) in enumerate(dots.items()):
        kind = ("on", "off")[k % 2]
        for measured, predicted in points:
            drawing.add("circle", kind, cx=x_of(measured), cy=y_of(predicted / measured), r=6)
        at = top + 24 + 28 * k
        drawing.add("circle", kind, cx=right - 90, cy=at, r=6)
        drawing.text(right - 74, at, label, size=17)
    return bottom + 62


def sweep(drawing, y, rows, marks):
    """GB/s against blocks (logarithmic), one line for each number of threads a block. `rows`: those of
    grid_sweep_*.json; `marks`: (blocks, label), vertical lines. Sizes that are no power of two are dashed.
    Returns where it ends."""
    left, top, right, bottom = 66, y + 44, drawing.width - 36, y + 400
    blocks = sorted({row["blocks"] for row in rows})
    largest = max(row["gigabytes_per_second"] for row in rows)
    x_of = logarithmic(blocks[0], blocks[-1], left, right)
    y_of = linear(0, 1000 * math.ceil(largest / 1000), bottom, top)
    axes(
        drawing,
        (left, top, right, bottom),
        [(x_of(tick), f"{tick:,}") for tick in (1, 8, 64, 512, 4096, 32768) if tick <= blocks[-1]],
        [(y_of(value), f"{value:,}") for value in range(0, 1000 * math.ceil(largest / 1000) + 1, 1000)],
        "blocks",
        "GB/s, one line for each number of threads per block",
    )
    for at, label in marks:
        drawing.line(x_of(at), top, x_of(at), bottom, "ink dashed")
        drawing.text(x_of(at) - 8, top + 18, label, "end", size=17)  # where no line has risen to yet
    lines = {}
    for row in sorted(rows, key=lambda row: (-row["threads"], row["blocks"])):
        lines.setdefault(row["threads"], []).append((row["blocks"], row["gigabytes_per_second"]))
    for threads, line in lines.items():
        is_power = threads & (threads - 1) == 0
        drawing.polyline([(x_of(x), y_of(value)) for x, value in line], "link" if is_power else "ink dashed")
    # Each label lies on its line, a little lower on each, so that no two meet; those of less than two warps, which
    # rise together, at their ends.
    for k, (threads, line) in enumerate(lines.items()):
        if threads < 64:
            drawing.text(right + 6, y_of(line[-1][1]), threads, size=17)
            continue
        height = (0.85 - 0.7 * k / len(lines)) * max(value for _, value in line)
        after = next(index for index, (_, value) in enumerate(line) if value >= height)
        (x0, y0), (x1, y1) = line[max(after - 1, 0)], line[after]
        part = (height - y0) / (y1 - y0) if y1 != y0 else 0
        drawing.label(x_of(x0) + part * (x_of(x1) - x_of(x0)), y_of(height), threads)
    return bottom + 62


# How lines and the marks on them are told apart: kind of line, kind of mark.
STYLES = (("ink", "off"), ("link", "on"), ("ink dashed", "on"), ("link dashed", "off"))


def lines(drawing, y, series, x_ticks, x_title, y_title):
    """`series`: {label: [(x, y)]}, four at most; x logarithmic, y from 0. Labels stand at the ends, each next to its mark.
    Returns where it ends."""
    left, top, right, bottom = 40, y + 44, drawing.width - 148, y + 300
    xs = [x for line in series.values() for x, _ in line]
    largest = math.ceil(max(value for line in series.values() for _, value in line))
    x_of = logarithmic(min(xs), max(xs), left, right)
    y_of = linear(0, largest, bottom, top)
    step = max(1, largest // 5)
    axes(
        drawing,
        (left, top, right, bottom),
        [(x_of(tick), f"{tick}") for tick in x_ticks],
        [(y_of(value), value) for value in range(0, largest + 1, step)],
        x_title,
        y_title,
    )
    place = bottom + 30
    ends = sorted(((line[-1][1], label) for label, line in series.items()))
    for (end, label), (kind, mark) in zip(ends, STYLES, strict=False):
        points = [(x_of(x), y_of(value)) for x, value in series[label]]
        drawing.polyline(points, kind)
        place = min(place - 20, y_of(end))
        for x, at in [*points, (right + 16, place)]:
            drawing.add("circle", mark, cx=x, cy=at, r=5)
        drawing.text(right + 28, place, label, size=17)
    return bottom + 62


def all_reduces(drawing, y, series, x_ticks, y_ticks, regions, x_title, y_title):
    """Time against size, both logarithmic. `series`: (label, kind, [(bytes, microseconds)], at which of them the
    label stands, how much lower); ticks: (value, label); `regions`: (where it ends, what is fastest up to there), with a
    line between each two. Returns where it ends."""
    left, top, right, bottom = 60, y + 44, drawing.width - 28, y + 420
    x_of = logarithmic(x_ticks[0][0], x_ticks[-1][0], left, right)
    y_of = logarithmic(y_ticks[0][0], y_ticks[-1][0], bottom, top)
    axes(
        drawing,
        (left, top, right, bottom),
        [(x_of(value), label) for value, label in x_ticks],
        [(y_of(value), label) for value, label in y_ticks if label],
        x_title,
        y_title,
    )
    begin = left
    for k, (size, label) in enumerate(regions):
        end = x_of(size)
        if k < len(regions) - 1:
            drawing.line(end, top, end, bottom, "faint dashed")
        drawing.text((begin + end) / 2, bottom - 16, label, "middle", size=17)
        begin = end
    for label, kind, line, at, lower in series:
        drawing.polyline([(x_of(x), y_of(value)) for x, value in line], kind)
        x, value = line[at]
        drawing.text(x_of(x), y_of(value) + lower, label, "middle", size=17)
    return bottom + 62
# SPDX-License-Identifier: MIT
