"""Charts of measured numbers, from book/data/*.json."""
import math


def bars(drawing, y, rows, unit, ceiling=None):
    """Horizontal bars from 0. `rows`: (label, value, kind); `ceiling`: (label, value), a line through all bars. The
    heading names the unit. Returns where it ends."""
    left, right, height, step = 196, drawing.width - 62, 22, 32
    largest = max([value for _, value, _ in rows] + ([ceiling[1]] if ceiling else []))
    scale = (right - left) / largest
    drawing.text(0, y + 10, unit)
    y += 32
    bottom = y + step * len(rows)
    if ceiling:
        x = left + ceiling[1] * scale
        drawing.line(x, y - 8, x, bottom, "ink dashed")
        drawing.text(min(x + 4, drawing.width), y - 22, f"{ceiling[0]} {ceiling[1]:,.0f}", "end" if x > 400 else "middle")
    for k, (label, value, kind) in enumerate(rows):
        top = y + k * step
        drawing.text(0, top + height / 2, label, size=17)
        drawing.box(left, top, max(value * scale, 1), height, kind)
        inside = value * scale > (right - left) - 66
        drawing.text(left + value * scale + 6, top + height / 2, f"{value:,.0f}", size=17,
                     **({} if not inside else {}))
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
        drawing.line(left, y, right, y, "faint")
        drawing.text(left - 8, y, label, "end", size=17)
    for x, label in x_ticks:
        drawing.line(x, bottom, x, bottom + 5, "ink")
        drawing.text(x, bottom + 18, label, "middle", size=17)
    drawing.line(left, bottom, right, bottom, "ink")
    drawing.text((left + right) / 2, bottom + 44, x_title, "middle")
    drawing.text(0, top - 22, y_title)
