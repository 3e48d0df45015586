"""Launches that a contract allows, for launch_ptx.cu: every small size, sizes around those at which the grid grows, the largest.

Each array is exactly as long as its contract says, so that an access one element beyond is a fault.
"""
import itertools
import json
import pathlib

LARGEST = 1 << 30
BYTES = {"float": 4, "int": 4}
SIDES = (0, 1, 3, 4, 7, 8, 9, 16, 24, 31, 32, 33, 63, 64, 65, 68, 97, 132)
LONG_SIDES = ((1 << 15, 1 << 15), (1 << 28, 4), (4, 1 << 28), ((1 << 15) - 4, 1 << 15), (LARGEST, 1), (1, LARGEST))
PRODUCTS = (0, 1, 7, 8, 16, 31, 32, 33, 65, 128, 129)
WIDTHS = (-1, 0, 1, 2, 3, 4, 8, 16, 31, 32, 33)
GRIDS = (1, 2, 3, 7)
MOST_EXPLORED = 256  # warps; GPUSIM_EXPLORE takes no larger launches


def ceil_div(a, b):
    return -(-a // b)


class Described:
    """A contract, as JSON, whose lengths and conditions are evaluated for whole numbers."""

    def __init__(self, described):
        self.block = (described["block"] + [1])[:2]
        self.conditions = described.get("where", [])
        self.members, self.is_structure = [], False
        for kind in described["parameters"].items():
            # The members of a structure begin at multiples of their size, as parameters do.
            self.is_structure = isinstance(kind[1], dict)
            self.members += kind[1].items() if self.is_structure else [kind]
        self.ints = [name for name, of in self.members if of == "int"]
        self.grid = [text.removeprefix("grid == ") for text in self.conditions if text.startswith("grid == ")]

    def value(self, text, numbers):
        return eval(text, {"__builtins__": {}, "ceil_div": ceil_div, "max": max}, numbers)  # noqa: S307

    def grids(self, numbers, wanted=GRIDS):
        return [self.value(self.grid[0], numbers)] if self.grid else list(wanted)

    def line(self, numbers, order, blocks="all"):
        """What launch_ptx reads, or "" if the contract does not allow this launch."""
        if not all(self.value(text, numbers) for text in self.conditions):
            return ""
        offset, arguments = 0, []
        for name, of in self.members:
            array = of.split("[") if "[" in of else None
            size = 8 if array else 4
            offset = -(-offset // size) * size
            if array:
                value = BYTES[array[0]] * self.value(array[1].split("]")[0], numbers)
            else:
                value = numbers.get(name, 1.5)
            arguments.append(f"{'a' if array else 'i' if of == 'int' else 'f'}:{offset}:{value}")
            offset += size
        if self.is_structure:
            arguments.append(f"end:{-(-offset // 8) * 8}")
        warps = ceil_div(self.block[0] * self.block[1], 32) * (numbers["grid"] if blocks == "all" else blocks.count(",") + 1)
        budget = 20000 + 12000 * warps
        return f"{order} {budget} {numbers['grid']} {self.block[0]} {self.block[1]} {blocks} {' '.join(arguments)}"


def first_with_grid(described, grid):
    """The smallest n whose grid has at least this many blocks."""
    low, high = 0, LARGEST
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if described.grids({"n": middle})[0] >= grid else (middle + 1, high)
    return low


def lengths(described):
    """All n up to 320, and those around multiples of powers of two and of what a block or two add."""
    powers = [(1 << bits) * k for bits in range(5, 13) for k in (1, 2, 3)]
    edges = [first_with_grid(described, grid) for grid in (2, 3)] if described.grid else [7 * described.block[0]]
    around = {n + by for n in powers + edges for by in (-1, 0, 1)}
    return sorted(set(range(321)) | around)


def shapes(described):
    """Numbers for the parameters of one kernel, without the grid."""
    ints = described.ints
    if ints == ["n"]:
        return [{"n": n} for n in lengths(described)]
    if ints == ["rows", "columns"]:
        return [dict(zip(ints, sides)) for sides in itertools.product(SIDES, SIDES)]
    if "lda" in ints:
        few = [(m, n, k) for m, n, k in itertools.product(PRODUCTS, PRODUCTS, (0, 1, 8, 9, 33)) if (m + n + k) % 3 == 0]
        return [{"m": m, "n": n, "k": k, "lda": k + pad, "ldb": n + pad, "ldc": n + pad} for m, n, k in few for pad in (0, 3)]
    first = range(-40, 70) if "count" not in ints else range(1, 33)
    return [dict(zip(ints, (value, width))) for value in first for width in (WIDTHS if "width" in ints else (0,))]


def large_shapes(described):
    ints = described.ints
    if ints == ["n"]:
        arrays = sum("[n]" in of for _, of in described.members)  # that must fit into the memory of a simulated GPU
        return [{"n": LARGEST // arrays - by} for by in (0, 1, 255)]
    if ints == ["rows", "columns"]:
        return [dict(zip(ints, sides)) for sides in LONG_SIDES]
    if "lda" in ints:
        side, half = 1 << 15, LARGEST >> 1
        return [{"m": side, "n": side, "k": 9, "lda": 9, "ldb": side, "ldc": side},
                {"m": side, "n": 9, "k": 9, "lda": side, "ldb": 9, "ldc": 9},
                {"m": 1, "n": half, "k": 1, "lda": 1, "ldb": half, "ldc": half},
                {"m": half, "n": 1, "k": 1, "lda": 1, "ldb": 1, "ldc": 1}]
    return []


def launches(contract):
    """All of them, one line each: small ones in two orders, and a few blocks of the largest."""
    described = Described(contract)
    lines = []
    for numbers in shapes(described):
        for grid in described.grids(numbers):
            if not described.grid and grid > 1 and numbers["n"] > 40 and numbers["n"] % 8 not in (0, 1):
                continue  # of a grid that is free, fewer sizes each
            lines += [described.line(numbers | {"grid": grid}, order) for order in (0, 1)]
    for numbers in large_shapes(described):
        for grid in described.grids(numbers, (1 << 22,)):
            blocks = ",".join(str(block) for block in sorted({0, 1, grid // 2, grid - 2, grid - 1}) if 0 <= block < grid)
            lines.append(described.line(numbers | {"grid": grid}, 0, blocks))
    return [line for line in lines if line]


def tiny_launches(contract):
    """A few launches whose interleavings can all be run, or many of them."""
    described = Described(contract)
    warps = ceil_div(described.block[0] * described.block[1], 32)
    tiny = [numbers | {"grid": grid} for numbers in shapes(described) for grid in described.grids(numbers, (2,))
            if all(0 <= number <= 66 for number in numbers.values()) and grid * warps <= MOST_EXPLORED]
    lines = [described.line(tiny[at * (len(tiny) - 1) // 3], 0) for at in range(4)]
    return [line for line in lines if line]


def described_in(folder, program):
    """[contract as JSON] of a chapter's program."""
    return json.loads(pathlib.Path(folder, f"{program}.json").read_text(encoding="utf-8"))
# SPDX-License-Identifier: MIT
