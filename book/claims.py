"""What the pages say in numbers, sentence by sentence, and where each number comes from.

A sentence stands on its page as it stands here, with a number for each {…}; tests/book/claims_test.py
compares, and with --write sets the numbers anew after a measurement. `holds` is what the words beside
the numbers say. FIXED lists the figures that come from elsewhere: no measurement of ours changes them.
"""

from typing import NamedTuple

import claims_gpus
import claims_processes
import claims_rows
import tables_limit
import tables_time
from measured import (
    LABORATORIES,
    counted,
    data,
    laboratory,
    ncu,
    of_copy,
    of_cublas,
    predicted,
    ptx,
    registers,
    speed,
    swept,
    timing,
    unrolled,
)

SMALL = 1 << 25  # elements, the smallest that is timed, and what ncu counts
SWEPT = [1, 8, 66, 132, 264, 528, 1056, 2112, 4224, 8448, 32768]  # blocks


class Claim(NamedTuple):
    page: str
    sentence: str
    values: tuple = ()
    holds: bool = True


def claims_of(page, *sentences):
    """Each: (sentence, value, …), and last, if it is a bool, whether the words hold."""
    for sentence, *values in sentences:
        holds = values.pop() if values and isinstance(values[-1], bool) else True
        yield Claim(page, sentence, tuple(values), holds)


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


def wavefront_differences():
    """Percent by which our wavefronts are below ncu's, in the table of chapters' kernels."""
    return [
        100 - 100 * row["simulated"] / row["ncu"]
        for row in data("book/data/fidelity_h200.json")["rows"]
        if row["kernel"][:2].isdigit() and row["counter"].endswith("wavefronts")
    ]


def most_above(kernel, counter):
    """The most percent by which ours is above ncu's, of the kernels whose names begin so."""
    return max(
        more(row["simulated"] / row["ncu"])
        for row in data("book/data/fidelity_h200.json")["rows"]
        if row["kernel"].startswith(kernel) and row["counter"] == counter and row["ncu"]
    )


def not_from_the_addresses():
    """Chapters' kernels whose wavefronts, as we count them, are not those that ncu works out from the addresses."""
    kernels = data("tests/gpusim/data/ncu_h200.json")["kernels"]
    return [
        row["kernel"]
        for row in data("book/data/fidelity_h200.json")["rows"]
        if row["counter"] in ("shared_load_wavefronts", "shared_store_wavefronts")
        and row["kernel"] in kernels
        and row["simulated"] != kernels[row["kernel"]]["counters"][row["counter"] + "_sass"]
    ]


def off_outside(machine):
    """Percent by which nine in ten predictions of both tests were off at most, before they were measured."""
    rows = [row for name in ("outside", "samples") for row in tables_time.measured_of(name, machine)]
    errors = (row["predicted_before"] / row["milliseconds"] - 1 for row in rows)
    return 100 * tables_time.accuracy.summary(errors)["nine_in_ten"]


def apart(which):
    """Pairs of a chapter's kernels on one GPU, at one size, whose times of that kind differ by over 10 %; the faster first."""
    rows = [row for row in data("common/gpusim/timing/accuracy.json")["rows"] if "." not in row["program"]]
    same = [
        sorted((row, other), key=lambda each: each[which])
        for k, row in enumerate(rows)
        for other in rows[:k]
        if all(row[key] == other[key] for key in ("machine", "program", "n"))
    ]
    return [(low, high) for low, high in same if high[which] > 1.10 * low[which]]


def in_order(low, high):
    """Whether what was measured and what was predicted agree on which is faster."""
    return (low["measured"] < high["measured"]) == (low["predicted"] < high["predicted"])


def far_off(machine):
    """Kernels of both tests whose predictions of today are off by more than half."""
    accuracy = data("common/gpusim/timing/accuracy.json")
    rows = [row for name in ("outside", "samples") for row in accuracy[f"{name}_rows"] if row["machine"] == machine]
    return {row["kernel"] for row in rows if abs(tables_time.error(row)) > 0.5}


def additions(scan, n=1024):
    return next(row[scan] for row in data("book/data/scan_operations.json")["rows"] if row["n"] == n)


def tile_shape(name):
    """GB/s of the single pass with tiles of that shape."""
    rows = data("book/data/scan_tiles_h200.json")["runs"][0]["rows"]
    return next(row["timing"]["gigabytes_per_second"] for row in rows if row["kernel"] == name)


def scan_launches(counter):
    """Of the hierarchical scan, in all its launches."""
    kernels = data("tests/gpusim/data/ncu_h200.json")["kernels"]
    return sum(
        row["counters"][counter]
        for name, row in kernels.items()
        if name.startswith(("10_scan scan_brent_kung", "10_scan add_before"))
    )


def exchange(row):
    """Milliseconds in the laboratory of chapter 09."""
    return laboratory("09_shuffle.exchange", row)


def teraflops(kernel, side=4096, machine="h200"):
    """Of a product of square matrices in chapter 13, 10^12 operations a second."""
    return next(
        row["timing"]["teraflops"]
        for run in data(f"book/data/products_{machine}.json")["runs"]
        if run["shape"] == [side] * 3
        for row in run["rows"]
        if row["kernel"] == kernel
    )


LIMIT = data("book/data/limit_h200.json")


def limit(kernel, n=1 << 28, what="gigabytes_per_second"):
    """A number of chapter 12's steps, or of CUB in the same session."""
    return tables_limit.timed(LIMIT)[kernel, n][what]


def limit_microseconds(kernel, n):
    return 1000 * limit(kernel, n, "milliseconds")


def limit_rows(name, n=1 << 28):
    """{row: timing} of an experiment of chapter 12."""
    (run,) = (run for run in tables_limit.runs_of(LIMIT, name) if run["n"] == n)
    return {row["kernel"]: row["timing"] for row in run["rows"]}


def in_flight(loads, blocks):
    """TB/s with so many loads of 16 bytes in flight in each thread."""
    return tables_limit.in_flight_rows(LIMIT)[loads][blocks] / 1000


def answered_after(loads, blocks):
    """Nanoseconds by Little's law, with blocks of 512 threads."""
    return blocks * 512 * 16 * loads / in_flight(loads, blocks) / 1000


# Microseconds, of kernels that do nothing, and of a sum of 2^28 floats.
SECOND_LAUNCH = 1000 * (
    limit_rows("launches", 1 << 20)["2 launches, blocks: 1056 and 1"]["milliseconds"]
    - limit_rows("launches", 1 << 20)["1 launch, blocks: 1056"]["milliseconds"]
)
SAVED_BY_ONE_LAUNCH = limit_microseconds("float4, several in flight", 1 << 28) - limit_microseconds("sum_one_launch", 1 << 28)


def machine_instructions_per_load(launch, warps, of_one_block):
    """What one more load of a warp takes: from a launch, and from its second launch of one block."""
    (many, loads), (few, few_loads) = (
        (ncu(name) / count, ncu(name, "global_load_requests") / count)
        for name, count in ((launch, warps), (f"{launch} #2", of_one_block))
    )
    return (many - few) / (loads - few_loads)


H100 = "book/data/timings_h100.json"
H100_MODEL = data("common/gpusim/timing/machines/h100.json")  # what calibrate measured; latencies in cycles
SWIZZLES = ("padded", "swizzled", "swizzled, slots kept")


def swizzle(row, document=LABORATORIES):
    """Milliseconds in the laboratory of chapter 11."""
    return laboratory("11_transpose.swizzle", row, document)


def timed_later(program, kernel, n=1 << 28):
    """GB/s of useful bytes in the later session on an H200, which timed the second exercises as well."""
    (run,) = (run for run in data(LABORATORIES)["runs"] if (run["program"], run["n"]) == (program, n))
    return next(row["timing"]["gigabytes_per_second"] for row in run["rows"] if row["kernel"] == kernel)


SECTORS = ("global_load_sectors", "global_store_sectors")
SINGLE_PASS = "10_scan single_pass<float, 0, 512, 20>"
BRENT_KUNG = "10_scan scan_brent_kung"
ROWS = "03_divergence sum_rows"
PLAN_C_AND_04 = ("05_idle_threads sum_adjacent_tiles", "05_idle_threads chapter_04::sum_sequential")
PRODUCTS = ("13_gemm gemm_tile", "13_gemm gemm_column")
CUB, GEAM = ("libraries", "cub::DeviceReduce::Sum"), ("libraries", "cublasSgeam")

CLAIMS = [
    *claims_of(
        "01_global_memory",
        (
            "makes {:.1f} times as many load requests as it takes to load each element once",
            counted("01_global_memory", "sum_in_place", "global load requests") / ((1 << 20) / 32),
        ),
        ("as *CUB*'s does: {:.0f} %", of_copy(*CUB)),
        (
            "It takes {:.2f} nanoseconds per element, which is {:.1f} GB/s",
            1e6 * timing("01_global_memory", "sum_atomic")["milliseconds"] / (1 << 30),
            speed("01_global_memory", "sum_atomic"),
        ),
        (
            "`sum_runs` touches {:.1f} times the load sectors of `sum_atomic`, about as many as "
            "`sum_in_place`. Yet it is {:.1f} times as fast as `sum_in_place`",
            ncu_ratio("01_global_memory sum_runs", "01_global_memory sum_atomic", "global_load_sectors"),
            faster("01_global_memory", "sum_runs", "sum_in_place"),
            0.98
            < ncu_ratio("01_global_memory sum_runs", "01_global_memory sum_in_place", "global_load_sectors")
            < 1.02,
        ),
        (
            "`sum_runs` takes {:.1f} instructions for every 256 elements, the tree {}",
            ncu_block("01_global_memory sum_runs") / 1024,
            ncu_block("01_global_memory sum_in_place"),
        ),
        (
            "They hold eight times the useful bytes, and at the speed of `sum_runs` that would be more than the 4.8 TB/s "
            "that the memory can deliver",
            8 * speed("01_global_memory", "sum_runs") > 4800,
        ),
    ),
    *claims_of(
        "02_shared_memory",
        (
            "The instructions go down by {:.0f} %",
            100
            - 100
            * counted("02_shared_memory", "sum_tile", "warp instructions")
            / counted("02_shared_memory", "sum_in_place", "warp instructions"),
        ),
        (
            "{:.1f} of 32; they were {:.1f}",
            *(
                counted("02_shared_memory", kernel, "active lanes, mean of 32")
                for kernel in ("sum_tile", "sum_in_place")
            ),
        ),
        (
            "that a block loads fall from {} to {}, and the kernel is {:.2f} times as fast",
            ncu_block("01_global_memory sum_in_place", "global_load_sectors"),
            ncu_block("02_shared_memory sum_tile", "global_load_sectors"),
            faster("02_shared_memory", "sum_tile", "sum_in_place", before_program="01_global_memory"),
        ),
        (
            "the instructions in the machine code, {} per block before and {} now",
            ncu_block("01_global_memory sum_in_place"),
            ncu_block("02_shared_memory sum_tile"),
        ),
        (
            "The table also says that no branch of the new machine code diverges",
            ncu("02_shared_memory sum_tile", "divergent_branches") == 0,
        ),
    ),
    *claims_of(
        "03_divergence",
        (
            "`sum_strided` is {:.2f} times as fast as `sum_tile`",
            faster("03_divergence", "sum_strided", "sum_tile"),
        ),
        (
            "The row of divergent branches is 0 throughout",
            not any(
                ncu(f"03_divergence {k}", "divergent_branches")
                for k in ("chapter_02::sum_tile", "sum_masked", "sum_strided")
            ),
        ),
        (
            "That takes at least {} of the {} instructions of a block, {:.0f} for each of its eight warps on each "
            "of the eight levels",
            ncu_block("03_divergence chapter_02::sum_tile") - ncu_block("03_divergence sum_masked"),
            ncu_block("03_divergence chapter_02::sum_tile"),
            (ncu_block("03_divergence chapter_02::sum_tile") - ncu_block("03_divergence sum_masked")) / 64,
        ),
        (
            "a block issues {} of them instead of {}, and the kernel reaches {} GB/s instead of {} GB/s",
            ncu_block("03_divergence sum_masked"),
            ncu_block("03_divergence chapter_02::sum_tile"),
            speed("03_divergence", "sum_masked"),
            speed("03_divergence", "sum_tile"),
        ),
        (
            "On the simulated GPU `sum_masked` issues more instructions than `sum_tile`, not fewer",
            counted("03_divergence", "sum_masked", "warp instructions")
            > counted("03_divergence", "sum_tile", "warp instructions"),
        ),
        (
            "`sum_strided` is slower than `sum_masked`, {} GB/s: it issues {}, and its wavefronts are no fewer",
            speed("03_divergence", "sum_strided"),
            ncu_block("03_divergence sum_strided"),
            ncu_ratio("03_divergence sum_strided", "03_divergence sum_masked", "shared_load_wavefronts")
            > 0.99,
        ),
        (
            "That is {:.0f} % more instructions and {:.0f} % more time",
            more(ncu_ratio("03_divergence sum_strided", "03_divergence sum_masked")),
            more(faster("03_divergence", "sum_masked", "sum_strided")),
        ),
        (
            "The [predictions](time.md#errors) wrongly have `sum_strided` ahead of `sum_masked`",
            all(
                predicted("h200")["03_divergence", "sum_strided", n] < predicted("h200")["03_divergence", "sum_masked", n]
                and speed("03_divergence", "sum_strided", n) < speed("03_divergence", "sum_masked", n)
                for n in (1 << 25, 1 << 28)
            ),
        ),
    ),
    *claims_of(
        "04_bank_conflicts",
        (
            "Branches and instructions fall as well, from {} to {} and from {} to {}",
            *(
                counted("04_bank_conflicts", kernel, row)
                for row in ("branches", "warp instructions")
                for kernel in ("sum_strided", "sum_sequential")
            ),
        ),
        (
            "The wavefronts of loads go down from {} to {}, and the instructions from {} to {}",
            *(
                ncu_block(f"04_bank_conflicts {kernel}", counter)
                for counter in ("shared_load_wavefronts", "warp_instructions")
                for kernel in ("chapter_03::sum_strided", "sum_sequential")
            ),
        ),
        (
            "The kernel is {:.2f} times as fast, but two things have changed at once",
            faster("04_bank_conflicts", "sum_sequential", "sum_strided"),
        ),
        (
            "In a later session, at 2<sup>28</sup>, `sum_rows` reached {} GB/s and `sum_sequential` {} GB/s",
            *(timed_later("04_bank_conflicts", kernel) for kernel in ("sum_rows", "sum_sequential")),
        ),
    ),
    *claims_of(
        "05_idle_threads",
        (
            "and the instructions fall from {} to {}. (Plan A takes {}: it computes the distance",
            *(
                counted("05_idle_threads", kernel, "warp instructions")
                for kernel in ("sum_sequential", "sum_adjacent_tiles", "sum_half_the_blocks")
            ),
        ),
        (
            "Plan C is {:.2f} times as fast as chapter 04's kernel, and loads the same bytes",
            faster(
                "05_idle_threads", "sum_adjacent_tiles", "sum_sequential", before_program="04_bank_conflicts"
            ),
            ncu_ratio(*PLAN_C_AND_04, "global_load_sectors") == 1,
        ),
        ("plan C issues {:.0f} % of the instructions", 100 * ncu_ratio(*PLAN_C_AND_04)),
        (
            "its two small trees take {} shared loads, where one larger tree takes {}",
            *(
                counted("05_idle_threads", kernel, "shared load requests")
                for kernel in ("sum_half_the_threads", "sum_adjacent_tiles")
            ),
        ),
        (
            "Plan B waits less often than plan C",
            counted("05_idle_threads", "sum_half_the_threads", "warps that wait at a barrier")
            < counted("05_idle_threads", "sum_adjacent_tiles", "warps that wait at a barrier"),
        ),
        (
            "In a later session, at 2<sup>28</sup>, D reached {} GB/s and C {} GB/s",
            *(timed_later("05_idle_threads", kernel) for kernel in ("sum_many_each", "sum_adjacent_tiles")),
        ),
        (
            "The three plans lie close together: A {} GB/s, B {} GB/s, C {} GB/s",
            *(
                speed("05_idle_threads", f"sum_{plan}")
                for plan in ("half_the_blocks", "half_the_threads", "adjacent_tiles")
            ),
        ),
        (
            "Plan B issues the fewest instructions, {:.0f} % of plan C's, and is the slowest",
            100 * ncu_ratio("05_idle_threads sum_half_the_threads", "05_idle_threads sum_adjacent_tiles"),
            speed("05_idle_threads", "sum_half_the_threads")
            < speed("05_idle_threads", "sum_half_the_blocks")
            < speed("05_idle_threads", "sum_adjacent_tiles"),
        ),
    ),
    *claims_of(
        "06_warp_unroll",
        (
            "The warp instructions go down from {} to {}",
            *(
                counted("06_warp_unroll", kernel, "warp instructions")
                for kernel in ("sum_adjacent_tiles", "sum_warp_tail")
            ),
        ),
        (
            "Shared loads go down from {} to {} and stores from {} to {}",
            *(
                counted("06_warp_unroll", kernel, f"shared {way} requests")
                for way in ("load", "store")
                for kernel in ("sum_adjacent_tiles", "sum_warp_tail")
            ),
        ),
        (
            "a block issues {} instructions instead of {}. The kernel is {:.2f} times as fast",
            ncu_block("06_warp_unroll sum_warp_tail"),
            ncu_block("06_warp_unroll chapter_05::sum_adjacent_tiles"),
            faster("06_warp_unroll", "sum_warp_tail", "sum_adjacent_tiles"),
        ),
        (
            "In a later session, at 2<sup>28</sup>, `sum_warp_tail` reached {} GB/s. `sum_by_warps`, which never waits for "
            "other warps, reached {} GB/s with {:.0f} % more instructions",
            *(timed_later("06_warp_unroll", kernel) for kernel in ("sum_warp_tail", "sum_by_warps")),
            more(ncu_ratio("06_warp_unroll sum_by_warps", "06_warp_unroll sum_warp_tail")),
        ),
    ),
    *claims_of(
        "07_full_unroll",
        (
            "`sum_any_whole` has the same row as `sum_any_by_four`",
            all(
                ptx("sum_any_whole", what) == ptx("sum_any_by_four", what)
                for what in ("instructions", "branches", "loads", "additions", "loops", "registers")
            ),
        ),
        (
            "A round of four loads takes {} instructions where the number of rounds is known and {} where "
            "it is not. Four rounds of one load take {} in both cases",
            ptx("sum_by_four", "loops")[0]["instructions"],
            ptx("sum_any_by_four", "loops")[0]["instructions"],
            4 * ptx("sum_rolled", "loops")[0]["instructions"],
            ptx("sum_rolled", "loops")[0]["instructions"]
            == ptx("sum_any_rolled", "loops")[0]["instructions"],
        ),
        (
            "**It costs registers**: {} for the loop as it stands, {} by four, {} unrolled wholly",
            *(ptx(kernel, "registers") for kernel in ("sum_rolled", "sum_by_four", "sum_whole")),
        ),
        (
            "`sum_rolled` executes more than `sum_any_rolled`: clang's loops have eight instructions and seven",
            [ptx(kernel, "loops", "clang")[0]["instructions"] for kernel in ("sum_rolled", "sum_any_rolled")] == [8, 7],
        ),
        (
            "a second chain takes {:.0f} % off the time",
            100
            - 100
            * laboratory("07_full_unroll.chains", "2 chains, one warp a scheduler")
            / laboratory("07_full_unroll.chains", "1 chain, one warp a scheduler"),
        ),
        (
            "the four rows lie within 2 % of each other",
            max(
                laboratory("07_full_unroll.chains", f"{k}, 16 warps a scheduler")
                for k in ("1 chain", "2 chains", "4 chains", "8 chains")
            )
            < 1.02
            * min(
                laboratory("07_full_unroll.chains", f"{k}, 16 warps a scheduler")
                for k in ("1 chain", "2 chains", "4 chains", "8 chains")
            ),
        ),
        (
            "16 warps with one chain each take only {:.1f} times as long as one",
            laboratory("07_full_unroll.chains", "1 chain, 16 warps a scheduler")
            / laboratory("07_full_unroll.chains", "1 chain, one warp a scheduler"),
        ),
        (
            "chapter 06's kernel and this one both reach {} GB/s, with {} instructions per block",
            speed("07_full_unroll", "sum_unrolled<256>"),
            ncu_block("07_full_unroll sum_unrolled<256>"),
            ncu_block("07_full_unroll sum_unrolled<256>") == ncu_block("06_warp_unroll sum_warp_tail")
            and round(speed("07_full_unroll", "sum_unrolled<256>")) == round(speed("06_warp_unroll", "sum_warp_tail")),
        ),
        ("Both stop at {:.0f} % of a copy", of_copy("07_full_unroll", "sum_unrolled<256>")),
        (
            "on the H200 chapter 08 is {:.0f} times as fast as chapter 02",
            faster("08_grid_sizing", "sum_grid_stride", "sum_tile", before_program="02_shared_memory"),
        ),
    ),
    *claims_of(
        "08_grid_sizing",
        (
            "and {} waits instead of {}",
            *(counted("08_grid_sizing", f"sum_fixed<{k}>", "warps that wait at a barrier") for k in (16, 2)),
        ),
        (
            "It doubles with each doubling of the grid, up to 264 blocks and {} GB/s",
            swept(264, 256),
            swept(264, 256) > 1.85 * swept(132, 256) and swept(528, 256) < 1.7 * swept(264, 256),
        ),
        (
            "it is flat: {} GB/s there, {} GB/s at its highest",
            swept(1056, 256),
            best(256),
            best(256) < 1.02 * swept(1056, 256),
        ),
        ("and still its whole tree, it comes down to {} GB/s", swept(32768, 256)),
        (
            "have the largest tree, and fall most, to {} GB/s",
            swept(32768, 1024),
            min(swept(32768, threads) / best(threads) for threads in (64, 128, 256, 512))
            > swept(32768, 1024) / best(1024),
        ),
        ("half of its 64 places for warps empty, and {} GB/s is their best", best(32)),
        (
            "Every size from 64 to 1024 threads comes within 3 % of the best",
            min(map(best, (64, 128, 256, 512, 1024))) > 0.97 * max(map(best, (64, 128, 256, 512, 1024))),
        ),
        (
            "reaches {:.0f} % of a copy; chapter 07's reached {:.0f} %",
            of_copy("08_grid_sizing", "sum_grid_stride"),
            of_copy("07_full_unroll", "sum_unrolled<256>"),
        ),
        (
            "1024 blocks reach {} GB/s, and `sum_fixed<2>` reaches {} GB/s",
            unrolled("unroll 1, 1024 blocks"),
            unrolled("2 elements a thread (chapter 07)"),
        ),
        (
            "two loads bring {} GB/s, and four bring {} GB/s",
            unrolled("unroll 2, 1024 blocks"),
            unrolled("unroll 4, 1024 blocks"),
        ),
        (
            "with one load from {} GB/s to {} GB/s, with two from {} GB/s to {} GB/s",
            unrolled("unroll 1, grid of chapter 07"),
            unrolled("unroll 1, 1024 blocks"),
            unrolled("2 elements a thread (chapter 07)"),
            unrolled("unroll 2, 1024 blocks"),
        ),
        ("Your kernel without a pragma reaches {} GB/s", unrolled("no pragma, 1024 blocks")),
        (
            "The model is [furthest off](time.md#errors) for `sum_fixed<2>`",
            max(
                data("common/gpusim/timing/accuracy.json")["rows"], key=lambda row: abs(row["predicted"] / row["measured"] - 1)
            )["kernel"]
            == "sum_fixed<2>",
        ),
        (
            "At {} GB/s, 1 MiB arrives every {:.0f} ns. That is about the time of one load: {:.0f} ns on an idle H100",
            unrolled("unroll 1, 1024 blocks"),
            2**20 / unrolled("unroll 1, 1024 blocks"),
            1000 * H100_MODEL["dram_latency"] / H100_MODEL["clock_megahertz"],
        ),
        (
            "eight loads bring less than four",
            unrolled("unroll 8, 1024 blocks") < 0.98 * unrolled("unroll 4, 1024 blocks"),
        ),
        (
            "it reaches {} GB/s. The loop with one load and a register reaches {} GB/s, and your kernel {} GB/s",
            unrolled("sum in the tile, 1024 blocks"),
            unrolled("unroll 1, 1024 blocks"),
            unrolled("no pragma, 1024 blocks"),
        ),
        (
            "the extra accesses cost {:.0f} %, and the lost loads in flight cost the rest",
            more(unrolled("unroll 1, 1024 blocks") / unrolled("sum in the tile, 1024 blocks")),
        ),
        (
            "**`sum_fixed<2>`** and **`sum_fixed<16>`**: {:.0f} % and {:.0f} %",
            of_copy("08_grid_sizing", "sum_fixed<2>"),
            of_copy("08_grid_sizing", "sum_fixed<16>"),
        ),
        (
            "it issues {:.0f} % more instructions than `sum_grid_stride` and is {:.2f} times as fast",
            more(ncu_ratio("08_grid_sizing sum_fixed<256, 16>", "08_grid_sizing sum_grid_stride<256>")),
            faster("08_grid_sizing", "sum_fixed<16>", "sum_grid_stride", SMALL),
        ),
        (
            "the second launch adds {:.0f} % to the time at 2<sup>25</sup>, and {:.1f} % at 2<sup>30</sup>",
            more(faster("08_grid_sizing", "sum_grid_stride", "all launches", SMALL)),
            more(faster("08_grid_sizing", "sum_grid_stride", "all launches")),
        ),
    ),
    *claims_of(
        "occupancy",
        (
            "the table's last rows, with 8 or 16 elements, have no local bytes",
            registers("sum_few<false>", "local_bytes") > 0
            and not any(registers(f"sum_few<false>, {k} elements", "local_bytes") for k in (8, 16)),
        ),
    ),
    *claims_of(
        "09_shuffle",
        (
            "With one launch, `sum_grid_stride` and `sum_shuffle_atomic` are within 1 % of each other. With two, `sum_shuffle` "
            "and `sum_butterfly` are within 1 % of `all launches`",
            all(
                abs(more(faster("09_shuffle", kernel, before, n, before_program="08_grid_sizing"))) < 1
                for n in (SMALL, 1 << 28, 1 << 30)
                for kernel, before in (
                    ("sum_shuffle_atomic", "sum_grid_stride"),
                    ("sum_shuffle", "all launches"),
                    ("sum_butterfly", "all launches"),
                )
            ),
        ),
        (
            "The shuffles take more instructions in this count, of PTX, but fewer in machine code",
            counted("09_shuffle", "sum_shuffle", "warp instructions")
            > counted("09_shuffle", "sum_grid_stride", "warp instructions")
            and ncu("09_shuffle sum_shuffle") < ncu("08_grid_sizing sum_grid_stride<256>"),
        ),
        (
            "One by shuffle takes {:.0f} ns; one through shared memory, with a store, two waits and a load, {:.0f} ns",
            *(1e6 * exchange(f"one warp, {way}") / 65536 for way in ("by shuffles", "through shared memory")),
        ),
        (
            "You may read that a shuffle's [latency](glossary.md#latency) is far lower. Here it is not",
            exchange("one warp, by shuffles") > 0.8 * exchange("one warp, through shared memory"),
        ),
        (
            "In the sums of rows the two lie within 2 % of each other",
            abs(more(exchange("rows of 512, by shuffles") / exchange("rows of 512, tree in shared memory"))) < 2,
        ),
    ),
    *claims_of(
        "10_scan",
        (
            "Brent-Kung makes {:.0f} % of Kogge-Stone's additions for 1024 elements",
            100 * additions("brent_kung") / additions("kogge_stone"),
        ),
        ("Brent-Kung has 10 levels up and 9 down, and makes [{} additions](#count-it)", additions("brent_kung")),
        (
            "16 floats each come to {} GB/s, 40 to {} GB/s, and 48 only to {} GB/s",
            *(tile_shape(f"1024 threads x {floats}") for floats in (16, 40, 48)),
            tile_shape("1024 threads x 40") > tile_shape("1024 threads x 48"),
        ),
        (
            "The single pass reaches {:.0f} % of a copy's speed, CUB's scan {:.0f} %",
            of_copy("10_scan", "single_pass"),
            of_copy("libraries", "cub::DeviceScan::InclusiveSum"),
        ),
        (
            "At 2<sup>25</sup> the hierarchical scan takes {:.1f} times as long as the single pass. Its five launches load and "
            "store {:.1f} times the sectors and issue {:.1f} times the instructions; most of their wavefronts in shared memory "
            "are conflicts",
            faster("10_scan", "single_pass", "scan_hierarchical", SMALL),
            sum(map(scan_launches, SECTORS)) / sum(ncu(SINGLE_PASS, way) for way in SECTORS),
            scan_launches("warp_instructions") / ncu(SINGLE_PASS),
            scan_launches("shared_load_bank_conflicts") > 0.5 * scan_launches("shared_load_wavefronts"),
        ),
    ),
    *claims_of(
        "11_transpose",
        (
            "`transpose_write_rows` is {:.1f} times as fast",
            faster("11_transpose", "transpose_write_rows", "transpose_read_rows"),
        ),
        (
            "{:.0f} % of a copy with scattered stores, {:.0f} % with scattered loads",
            of_copy("11_transpose", "transpose_read_rows"),
            of_copy("11_transpose", "transpose_write_rows"),
        ),
        (
            "touches {:.0f} times the sectors of the other",
            ncu("11_transpose transpose_read_rows<float>", "global_store_sectors")
            / ncu("11_transpose transpose_read_rows<float>", "global_load_sectors"),
        ),
        (
            "**The plain tile**, {:.0f} %, is behind `transpose_write_rows`",
            of_copy("11_transpose", "transpose_tile"),
            speed("11_transpose", "transpose_tile") < speed("11_transpose", "transpose_write_rows"),
        ),
        (
            "bank conflicts: {} wavefronts of shared loads",
            ncu("11_transpose transpose_tile<float>", "shared_load_wavefronts"),
        ),
        (
            "**Padded**, {:.0f} %: {:.1f} times as fast as the tile with conflicts",
            of_copy("11_transpose", "transpose_padded"),
            faster("11_transpose", "transpose_padded", "transpose_tile"),
        ),
        (
            "Both tiles slow down as n grows",
            all(
                speed("11_transpose", kernel, SMALL) > speed("11_transpose", kernel, 1 << 28) > speed("11_transpose", kernel)
                for kernel in ("transpose_padded", "transpose_swizzled")
            ),
        ),
        (
            "**Swizzled**, {:.0f} %",
            of_copy("11_transpose", "transpose_swizzled"),
            speed("11_transpose", "transpose_swizzled") < speed("11_transpose", "transpose_padded"),
        ),
        (
            "but issues {:.0f} % more instructions",
            more(ncu_ratio("11_transpose transpose_swizzled<float>", "11_transpose transpose_padded<float>")),
        ),
        (
            "and regains {:.0f} % of what the swizzle loses",
            100
            * (swizzle("swizzled") - swizzle("swizzled, slots kept"))
            / (swizzle("swizzled") - swizzle("padded")),
        ),
        (
            "The H200 takes {:.0f} % less time down the columns",
            100
            - 100
            * laboratory("11_transpose.block_order", "down columns of in")
            / laboratory("11_transpose.block_order", "along rows of in"),
        ),
        (
            "the three are within 1 % of each other",
            max(swizzle(row, H100) for row in SWIZZLES) < 1.01 * min(swizzle(row, H100) for row in SWIZZLES),
        ),
        (
            "**16 bytes a lane**, {:.0f} %, ahead of cuBLAS, NVIDIA's library, with {:.0f} %",
            of_copy("11_transpose", "transpose_vector"),
            of_copy(*GEAM),
            speed("11_transpose", "transpose_vector") > speed(*GEAM),
        ),
    ),
    *claims_of(
        "mistakes",
        (
            "`sum_whole` in chapter 07 has {} instructions for {} additions",
            ptx("sum_whole", "instructions"),
            ptx("sum_whole", "additions"),
        ),
        (
            "nvcc 13.0 and clang 14 unroll it by four",
            all(ptx("sum_any_whole", "loops", compiler)[0]["loads"] == 4 for compiler in ("clang", "nvcc")),
        ),
        (
            "every size from 64 to 1024 threads comes within 3 % of the best",
            min(map(best, (64, 128, 256, 512, 1024))) > 0.97 * max(map(best, (64, 128, 256, 512, 1024))),
        ),
    ),
    *claims_of(
        "simulator",
        ("In the table ours are up to {:.1f} % below it", max(wavefront_differences())),
        (
            "It equals ours in all but four kernels",
            {kernel.partition("<")[0] for kernel in not_from_the_addresses()} == {BRENT_KUNG, ROWS, *PRODUCTS},
        ),
        (
            "kernels that access little but shared memory show hardly any",
            all(
                0.997 < row["simulated"] / row["ncu"] <= 1
                for row in data("book/data/fidelity_h200.json")["rows"]
                if row["kernel"].startswith("shared") and row["counter"].endswith("wavefronts")
            ),
        ),
        (
            "ours are {:.0f} % and {:.0f} % above ncu's ideal wavefronts",
            *(most_above(kernel, "shared_load_ideal_wavefronts") for kernel in PRODUCTS),
        ),
        (
            "Requests, sectors and atomics are equal in every row",
            all(
                row["simulated"] == row["ncu"]
                for row in data("book/data/fidelity_h200.json")["rows"]
                if row["counter"].startswith(("global", "local"))
            ),
        ),
        (
            "{} patterns of accesses, local memory's among them",
            len(data("tests/gpusim/data/ncu_h200.json")["calibration"]),
            any(name.startswith("local") for name in data("tests/gpusim/data/ncu_h200.json")["calibration"]),
        ),
    ),
    *claims_of(
        "time",
        ("average the predictions are off by {:.0f} %", 100 * data("common/gpusim/timing/accuracy.json")["all"]["mean"]),
        (
            "The six wrong ones are two pairs, at each size and on both GPUs: chapter 03's `sum_masked` and `sum_strided`, and "
            "chapter 13's `gemm_column` and `gemm_vector`",
            sum(not in_order(*pair) for pair in apart("measured")) == 6
            and {frozenset((low["kernel"], high["kernel"])) for low, high in apart("measured") if not in_order(low, high)}
            == {frozenset(("sum_masked", "sum_strided")), frozenset(("gemm_column", "gemm_vector"))},
        ),
        (
            "If the *predicted* times differ by more than 10 %, the order is right in {} of {} pairs",
            sum(in_order(*pair) for pair in apart("predicted")),
            len(apart("predicted")),
        ),
        (
            "off by more than half even today: `chase, 132 warps`, `heat_shared`, `gemm_double`, `bfs_level` and `bodies_plain`",
            far_off("h200") & far_off("h100") == {"chase, 132 warps", "heat_shared", "gemm_double", "bfs_level", "bodies_plain"},
        ),
        ("prints ± {:.0f} % for an H200 and ± {:.0f} % for an H100", off_outside("h200"), off_outside("h100")),
    ),
    *claims_of(
        "12_bandwidth_limit",
        (
            "chapter 09's sum of 2<sup>28</sup> floats reaches {} GB/s, and CUB's {} GB/s",
            speed("09_shuffle", "sum_shuffle", 1 << 28),
            speed(*CUB, 1 << 28),
        ),
        ("Such a sum reaches {:.2f} TB/s", in_flight(1, 132)),
        ("> 132 × 8 KiB / {:.2f} TB/s = {:.0f} ns.", in_flight(1, 132), answered_after(1, 132)),
        (
            "For 4.8 TB/s you need 4.8 TB/s × {:.0f} ns = {:.1f} MB in flight, {:.0f} KB on each multiprocessor",
            answered_after(1, 132),
            4.8 * answered_after(1, 132) / 1000,
            4.8 * answered_after(1, 132) / 132,
        ),
        (
            "132 blocks reach {:.1f} TB/s, 264 blocks {:.1f}, 528 and 1,056 blocks {:.1f}. From four loads on, 132 "
            "blocks stay at {:.1f} and all others at {:.1f}.",
            *(in_flight(1, blocks) for blocks in (132, 264, 528)),
            in_flight(4, 132),
            in_flight(4, 264),
            all(
                f"{in_flight(loads, blocks):.1f}" == f"{in_flight(4, min(blocks, 264)):.1f}"
                for loads in (4, 8, 16)
                for blocks in (132, 264, 528, 1056)
            )
            and f"{in_flight(1, 1056):.1f}" == f"{in_flight(1, 528):.1f}",
        ),
        (
            "one block on each multiprocessor with two loads reaches {:.2f} TB/s, two blocks with one load {:.2f} TB/s",
            in_flight(2, 132),
            in_flight(1, 264),
        ),
        (
            "one block with four loads reaches {:.2f} TB/s, two with two {:.2f} TB/s, four with one {:.2f} TB/s",
            in_flight(4, 132),
            in_flight(2, 264),
            in_flight(1, 528),
        ),
        (
            "Beyond 32 KiB there is little to gain",
            max(map(max, (row.values() for row in tables_limit.in_flight_rows(LIMIT).values())))
            < 1060 * in_flight(4, 132),
        ),
        ("By the law, the memory then answers after {:.0f} to {:.0f} ns", answered_after(1, 264), answered_after(2, 132)),
        ("and `floats` reaches {} GB/s at 2<sup>28</sup>", limit("floats")),
        (
            "nvcc unrolls that loop by four, and this one not at all",
            machine_instructions_per_load("09_shuffle sum_shuffle", 8 * 1024, 8) == 17 / 4
            and machine_instructions_per_load("12_bandwidth_limit sum_blocks<ByFloats>", 16 * 2048, 16) == 6,
        ),
        (
            "2<sup>20</sup> floats take {} requests",
            counted("12_bandwidth_limit", "floats", "global load requests"),
        ),
        (
            "A second launch adds {:.2f} µs",
            SECOND_LAUNCH,
        ),
        (
            "That takes {:.0f} % more warp instructions",
            more(
                counted("12_bandwidth_limit", "float4, several in flight", "warp instructions")
                / counted("12_bandwidth_limit", "float4", "warp instructions")
            ),
        ),
        (
            "At 2<sup>28</sup>, `float4` is {:.2f} times as fast as `floats`",
            limit("float4") / limit("floats"),
        ),
        (
            "and also issues fewer instructions. But with 8 KiB in flight, 16-byte loads are no faster: {:.2f} TB/s",
            in_flight(1, 132),
            ncu("12_bandwidth_limit sum_blocks<ByFours>") < ncu("12_bandwidth_limit sum_blocks<ByFloats>")
            and in_flight(1, 132) < limit("floats") / 1000,
        ),
        (
            "They bring {:.0f} % at 2<sup>28</sup>",
            more(limit("float4, several in flight") / limit("float4")),
        ),
        (
            "and the time falls from {:.1f} to {:.1f} µs",
            limit_microseconds("float4", 1 << 20),
            limit_microseconds("float4, several in flight", 1 << 20),
        ),
        (
            "At 2<sup>20</sup> the time falls from {:.1f} µs to {:.1f} µs. With an atomic it is {:.1f} µs",
            limit_microseconds("float4, several in flight", 1 << 20),
            limit_microseconds("sum_one_launch", 1 << 20),
            limit_microseconds("sum_atomic", 1 << 20),
        ),
        (
            "At 2<sup>28</sup> one launch saves {:.1f} µs, more than an empty launch costs",
            SAVED_BY_ONE_LAUNCH,
            SAVED_BY_ONE_LAUNCH > SECOND_LAUNCH,
        ),
        (
            "up to 2<sup>22</sup> floats it is {:.2f} to {:.2f} times as fast",
            *(
                pick(limit("sum_one_launch", 1 << k) / limit(CUB[1], 1 << k) for k in (20, 21, 22))
                for pick in (min, max)
            ),
        ),
        (
            "At 2<sup>30</sup> the two are within 2 %",
            abs(more(limit("sum_one_launch", 1 << 30) / limit(CUB[1], 1 << 30))) < 2,
        ),
        (
            "From 264 blocks on, all lie within {:.0f} % of each other at 2<sup>28</sup>",
            more(
                max(row["gigabytes_per_second"] for name, row in limit_rows("blocks").items() if int(name.split()[0]) >= 264)
                / min(row["gigabytes_per_second"] for name, row in limit_rows("blocks").items() if int(name.split()[0]) >= 264)
            ),
        ),
        (
            "the sum gets slower if the L2 cache fetches 256 bytes at a time",
            all(
                rows["nc, L1::no_allocate, L2::256B"]["milliseconds"]
                > 1.03 * max(row["milliseconds"] for name, row in rows.items() if "L2::256B" not in name)
                for rows in (limit_rows("hints", 1 << k) for k in (25, 28))
            ),
        ),
        (
            "At 2<sup>30</sup> `sum_one_launch` reads {} GB/s, {:.0f} % of 4.8 TB/s. Under ncu it is slower",
            limit("sum_one_launch", 1 << 30),
            limit("sum_one_launch", 1 << 30) / 48,
            next(row["bytes_per_second"] for row in LIMIT["memory"] if row["n"] == 1 << 30)
            < 1e9 * limit("sum_one_launch", 1 << 30),
        ),
        (
            "in which the memory is active: {:.0f} % at 2<sup>30</sup>",
            next(row["busy_percent"] for row in LIMIT["memory"] if row["n"] == 1 << 30),
        ),
        (
            "Neither is faster here",
            all(
                rows["registers, 8 loads"]["milliseconds"] <= min(row["milliseconds"] for row in rows.values())
                for rows in (limit_rows("async_copies", 1 << k) for k in (25, 28))
            ),
        ),
    ),
    *claims_of(
        "13_gemm",
        (
            "the first kernel reaches {} % of the speed of cuBLAS, NVIDIA's matrix library, and the last reaches {} %",
            of_cublas("gemm_naive", 4096, 4096, 4096),
            of_cublas("gemm_chosen", 4096, 4096, 4096),
        ),
        (
            "`gemm_tile` is {:.1f} times as fast as `gemm_naive`, `gemm_column` {:.1f} times as fast as `gemm_tile`, and "
            "`gemm_registers` {:.1f} times as fast as `gemm_column`",
            teraflops("gemm_tile") / teraflops("gemm_naive"),
            teraflops("gemm_column") / teraflops("gemm_tile"),
            teraflops("gemm_registers") / teraflops("gemm_column"),
        ),
        (
            "at 1,024<sup>3</sup> `gemm_registers` is slower than `gemm_column`",
            teraflops("gemm_registers", 1024) < teraflops("gemm_column", 1024),
        ),
        (  # a multiply-add counts as two operations, and asks for 5 bytes
            "It asks for {:.1f} TB (10<sup>12</sup> bytes) each second, more than the memory delivers",
            5 * teraflops("gemm_naive") / 2,
            5 * teraflops("gemm_naive") / 2 > 4.8,
        ),
        (
            "At 4,096<sup>3</sup> `gemm_registers` reaches {} % of cuBLAS and `gemm_vector` {} %",
            of_cublas("gemm_registers", 4096, 4096, 4096),
            of_cublas("gemm_vector", 4096, 4096, 4096),
        ),
        (
            "at 4,096<sup>3</sup> the speed rises from {} % to {} % of cuBLAS",
            of_cublas("gemm_vector", 4096, 4096, 4096),
            of_cublas("gemm_buffered", 4096, 4096, 4096),
        ),
        (
            "`gemm_buffered` reaches {} % of cuBLAS at 4,096<sup>3</sup> and {} % at 8,192<sup>3</sup>",
            of_cublas("gemm_buffered", 4096, 4096, 4096),
            of_cublas("gemm_buffered", 8192, 8192, 8192),
        ),
        (
            "with its fewer wavefronts reaches {} % and {} %",
            of_cublas("gemm_warp_tiles", 4096, 4096, 4096),
            of_cublas("gemm_warp_tiles", 8192, 8192, 8192),
            of_cublas("gemm_warp_tiles", 4096, 4096, 4096) < of_cublas("gemm_buffered", 4096, 4096, 4096),
        ),
        (
            "at 1,024<sup>3</sup> `gemm_buffered` has 64 blocks and reaches {} % of cuBLAS; the plan that `gemm_chosen` takes, "
            "with its prefetch, {} %",
            of_cublas("gemm_buffered", 1024, 1024, 1024),
            of_cublas("gemm_chosen", 1024, 1024, 1024),
        ),
        (
            "`gemm_buffered` reaches {} % of cuBLAS, `gemm_chosen` {} %, including the time to copy",
            of_cublas("gemm_buffered", 4095, 4097, 4093),
            of_cublas("gemm_chosen", 4095, 4097, 4093),
        ),
    ),
    *claims_of("14_many_gpus", *claims_gpus.SENTENCES, *claims_processes.SENTENCES),
    *claims_of("15_softmax", *claims_rows.SENTENCES),
]

# Figures that no measurement of ours changes, by page: of others, of arithmetic, of a device's limits.
FIXED = {
    "01_global_memory": ("can come out above 100 %",),
    # Harris: 62.671 / 2.083; and his slides on the fourth step.
    "07_full_unroll": (
        "All seven together made the sum 30 times as fast",
        "step 4 reaches 17 GB/s, the G80's memory can deliver 86.4 GB/s",
    ),
    "occupancy": ("The calculator reports 100 % for blocks of 33 threads",),
}
# SPDX-License-Identifier: MIT
