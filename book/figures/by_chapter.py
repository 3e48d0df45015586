"""Every figure of the book, by the name under which a page includes it."""
import charts
import maps
import shuffles
import traced
import trees
from svg import Drawing


def two_maps(name, draw, *of):
    """Maps below each other. `of`: (step, heading)."""
    drawing = Drawing(name, 0)
    y = 0
    for step, heading in of:
        y = draw(drawing, y, step, heading) + 24
    drawing.height = y - 18
    return drawing


def global_memory_tree(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = trees.tree(drawing, 2, sources.traces["sum_in_place 16"], "global", "data[]") + 4
    return drawing


def first(launch, kind, space, warp=0):
    return traced.accesses(traced.steps_of(launch, warp), kind, space)[0]


def global_memory_runs(name, sources):
    return two_maps(name, maps.coalescing,
                    (first(sources.traces["sum_atomic"], "load", "global"), "sum_atomic loads"),
                    (first(sources.traces["sum_runs"], "load", "global"), "sum_runs loads"))


def divergence_lanes(name, sources):
    drawing = Drawing(name, 0)
    y = 0
    for kernel, chapter in (("sum_tile", "02"), ("sum_strided", "03")):
        y = trees.working_lanes(drawing, y, sources.traces[kernel], f"Chapter {chapter}: {kernel}") + 22
    drawing.height = y - 18
    return drawing


def first_level(launch, lines=1):
    """The load of the left elements by warp 0 on the first level of the tree: the last one before the store."""
    return traced.accesses(traced.phases(launch, 0)[lines], "load", "shared")[-1]


def bank_conflicts_map(name, sources):
    return two_maps(name, maps.banks,
                    (first_level(sources.traces["sum_strided"]), "Chapter 03: tile[2 * t]"),
                    (first_level(sources.traces["sum_sequential"]), "Chapter 04: tile[t]"))


def bank_conflicts_trees(name, sources):
    drawing = Drawing(name, 0)
    y = 0
    for kernel, heading in (("sum_strided 16", "Neighbours first (chapter 03)"),
                            ("sum_sequential 16", "Half a tile first (chapter 04)")):
        drawing.text(0, y + 10, heading, font_weight="bold")
        y = trees.tree(drawing, y + 32, sources.traces[kernel], "shared", "tile[]") + 30
    drawing.height = y - 26
    return drawing


def idle_threads_live(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = trees.live_grid(drawing, 0, sources.traces["sum_sequential"])
    return drawing


def shuffle_down(name, sources):
    drawing = Drawing(name, 0)
    steps = [step for step in traced.phases(sources.traces["sum_shuffle"], 0)[0] if step["kind"] == "shuffle"]
    drawing.height = shuffles.shuffle_rows(drawing, 0, steps) + 4
    return drawing


def shuffle_swap(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = shuffles.swap(drawing, 0, sources.traces["swap"]) + 4
    return drawing


def shuffle_block(name, sources):
    drawing = Drawing(name, 0)
    drawing.height = shuffles.block_sum(drawing, 0, sources.traces["sum_shuffle"]) + 4
    return drawing


def transpose_sides(name, sources):
    launch = sources.traces["read_rows"]
    return two_maps(name, maps.coalescing, (first(launch, "load", "global"), "One load request"),
                    (first(launch, "store", "global"), "One store request"))


def transpose_banks(name, sources):
    drawing = Drawing(name, 0)
    for k, (label, title) in enumerate((("tile", "Plain"), ("padded", "Padded"), ("swizzled", "Swizzled"))):
        # Warp 3 loads column 3 first.
        step = traced.accesses(traced.phases(sources.traces[label], 3)[1], "load", "shared")[0]
        drawing.height = maps.tile_banks(drawing, 20 + k * 224, 0, step, title) + 4
    return drawing


FIGURES = {
    "03_divergence_lanes": divergence_lanes,
    "04_bank_conflicts_map": bank_conflicts_map,
    "04_bank_conflicts_trees": bank_conflicts_trees,
    "09_shuffle_down": shuffle_down,
    "09_shuffle_swap": shuffle_swap,
    "09_shuffle_block": shuffle_block,
    "11_transpose_sides": transpose_sides,
    "11_transpose_banks": transpose_banks,
}
