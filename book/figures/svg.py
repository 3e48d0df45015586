"""Shapes of a figure, and the frame that makes a page's figure of them.

Units: a figure is at most 680 wide, and a phone shows it at about half its size. So text is TEXT high, and a
figure grows downwards. Colours come from the theme: a shape bears a class of book/theme/warp.css, no colour.
    on      filled: takes part                   tint    lightly filled: holds something, text fits on it
    off     outlined only                        shade   grey: another kind, text fits on it
    second  hatched: told from `on` without its colour
    ink     a line of the text's colour          link    a line of the links' colour
    faint   a line behind the others             barrier a thick line that warps wait at
"""

from html import escape

WIDTH = 678
MARGIN = 1  # left and right, for outlines
ABOVE = 6  # for what rises above the first line of text
TEXT = 18  # height of text


def number(value):
    """A coordinate: at most two decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


class Drawing:
    """Shapes from the top left corner, x to the right and y down. `name` makes ids unique on a page."""

    def __init__(self, name, height, width=WIDTH):
        self.name, self.width, self.height = name, width, height
        self.shapes = []
        self.caption = ""  # shown below, and wrapped by the browser
        self.arrows = set()
        self.has_hatch = False

    def add(self, tag, kind="", text=None, **attributes):
        if "second" in kind:
            self.has_hatch = True
            attributes["fill"] = f"url(#{self.name}-hatch)"
        words = [f'class="{kind}"'] if kind else []
        words += [
            f'{key.replace("_", "-")}="{number(value) if isinstance(value, (int, float)) else value}"'
            for key, value in attributes.items()
        ]
        end = "/>" if text is None else f">{escape(str(text), quote=False)}</{tag}>"
        self.shapes.append(f"<{' '.join([tag, *words])}{end}")

    def box(self, x, y, width, height, kind="off", **more):
        self.add("rect", kind, x=x, y=y, width=width, height=height, **more)

    def text(self, x, y, text, anchor="start", size=TEXT, **more):
        """`y` is the middle of the line of text."""
        more = {
            **({"text_anchor": anchor} if anchor != "start" else {}),
            **({"font_size": size} if size != TEXT else {}),
            **more,
        }
        self.add("text", "", text, x=x, y=y + 0.35 * size, **more)

    def label(self, x, y, text):
        """Text in the middle of a ground that hides what is behind it."""
        width = 10.4 * len(str(text)) + 6
        self.box(x - width / 2, y - 13, width, 26, "ground")
        self.text(x, y, text, "middle")

    def line(self, x1, y1, x2, y2, kind="ink", **more):
        self.add("line", kind, x1=x1, y1=y1, x2=x2, y2=y2, **more)

    def arrow(self, x1, y1, x2, y2, kind="ink", **more):
        """A line with a head at its second end."""
        colour = "link" if "link" in kind else "ink"
        self.arrows.add(colour)
        self.line(x1, y1, x2, y2, kind, marker_end=f"url(#{self.name}-{colour})", **more)

    def polyline(self, points, kind="ink", **more):
        self.add("polyline", kind, points=" ".join(f"{number(x)},{number(y)}" for x, y in points), **more)

    def cells(self, corners, width, height, kind="on"):
        """Many boxes of one size as one shape, which keeps files small. `corners`: (x, y) of each."""
        corners = list(corners)
        if corners:
            box = f"h{number(width)}v{number(height)}h-{number(width)}z"
            self.add("path", kind, d="".join(f"M{number(x)} {number(y)}{box}" for x, y in corners))

    def grid(self, x, y, columns, rows, width, height, kind="off"):
        """The lines of a table, each cell `width` x `height`."""
        across, down = number(columns * width), number(rows * height)
        lines = [f"M{number(x)} {number(y + k * height)}h{across}" for k in range(rows + 1)]
        lines += [f"M{number(x + k * width)} {number(y)}v{down}" for k in range(columns + 1)]
        self.add("path", kind, d="".join(lines))

    def definitions(self):
        if self.has_hatch:
            yield (
                f'<pattern id="{self.name}-hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
                'patternTransform="rotate(45)">'
                '<line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern>'
            )
        for colour in sorted(self.arrows):
            yield (
                f'<marker id="{self.name}-{colour}" class="head {colour}" viewBox="0 0 10 10" refX="9" '
                'refY="5" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">'
                '<path d="M0 0L10 5L0 10z"/></marker>'
            )

    def figure(self, alt):
        """The file: no empty line in it, since in Markdown one would end the HTML."""
        title, _, rest = alt.partition(". ")
        ids = f"{self.name}-title" + (f" {self.name}-desc" if rest else "")
        described = [f'<title id="{self.name}-title">{escape(title, quote=False)}</title>']
        described += [f'<desc id="{self.name}-desc">{escape(rest, quote=False)}</desc>'] if rest else []
        definitions = list(self.definitions())
        width, height = self.width + 2 * MARGIN, self.height + ABOVE + 2
        lines = [
            '<figure class="figure">',
            f'<svg viewBox="{-MARGIN} {-ABOVE} {number(width)} {number(height)}" role="img" '
            f'aria-labelledby="{ids}" font-size="{TEXT}" xmlns="http://www.w3.org/2000/svg">',
            *described,
            *(["<defs>", *definitions, "</defs>"] if definitions else []),
            *self.shapes,
            "</svg>",
            *([f"<figcaption>{escape(self.caption, quote=False)}</figcaption>"] if self.caption else []),
            "</figure>",
        ]
        return "\n".join(lines) + "\n"
# SPDX-License-Identifier: MIT
