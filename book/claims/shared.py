"""What several pages take from the measurements, and how a page says it."""

from typing import NamedTuple

from measured import LABORATORIES, data, ncu, speed, swept

SMALL = 1 << 25  # elements, the smallest that is timed, and what ncu counts

SWEPT = [1, 8, 66, 132, 264, 528, 1056, 2112, 4224, 8448, 32768]  # blocks


class Claim(NamedTuple):
    page: str
    sentence: str
    values: tuple = ()
    holds: bool = True


def claims_of(page, *sentences):
    """Each: (sentence, value, …), and last, if it is a bool, whether the words hold."""
    found = []
    for sentence, *values in sentences:
        holds = values.pop() if values and isinstance(values[-1], bool) else True
        found.append(Claim(page, sentence, tuple(values), holds))
    return found


def faster(program, kernel, before, n=None, before_program=None):
    """How many times as fast."""
    size = {} if n is None else {"n": n}
    return speed(program, kernel, **size) / speed(before_program or program, before, **size)


def best(threads):
    """GB/s of the best grid of the sweep."""
    return max(swept(blocks, threads) for blocks in SWEPT)


def ncu_block(launch, counter="warp_instructions"):
    return ncu(launch, counter, per_block=True)


def ncu_ratio(one, other, counter="warp_instructions"):
    return ncu(one, counter) / ncu(other, counter)


def more(ratio):
    """Percent more."""
    return 100 * (ratio - 1)


def less(ratio):
    """Percent less."""
    return 100 * (1 - ratio)


def ends(values):
    """The least and the greatest."""
    values = list(values)
    return min(values), max(values)


def round_alike(values):
    """Whether a page can give one whole number for all of them."""
    return len({round(value) for value in values}) == 1


def timed_later(program, kernel, n=1 << 28):
    """GB/s of useful bytes in the later session on an H200, which timed the second exercises as well."""
    (run,) = (run for run in data(LABORATORIES)["runs"] if (run["program"], run["n"]) == (program, n))
    return next(row["timing"]["gigabytes_per_second"] for row in run["rows"] if row["kernel"] == kernel)

CUB, GEAM = ("libraries", "cub::DeviceReduce::Sum"), ("libraries", "cublasSgeam")
# SPDX-License-Identifier: MIT
