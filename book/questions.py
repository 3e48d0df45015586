"""What pages ask their readers: a prediction before the exercise, and a quiz at the end. Numbers that are counted or
measured come from the tables and data that the pages show (measured.py), so they cannot differ from them."""

import html
import re
from typing import NamedTuple

import tables_gpus
from measured import BOOK, counted, data


class Number(NamedTuple):
    ask: str
    answer: object  # a function: the tables are read when the page is made
    why: str
    within: float = 0  # what counts as right, as a share of the answer


class Choice(NamedTuple):
    ask: str
    options: tuple
    right: int  # which of them
    why: str


class Counted(NamedTuple):
    """A number of the table of counters that the page `stem` shows; per block where the table is."""

    stem: str
    kernel: str
    row: str

    def __call__(self):
        return counted(*self)


def conflicts_at_step(step):
    """Bank conflicts of a block of `sum_strided`, its loads and stores together, on the level with this step between elements."""
    for line in (BOOK / "generated/04_bank_conflicts.banks.txt").read_text(encoding="utf-8").splitlines():
        cells = line.split()
        if cells[:1] == [str(step)]:
            return int(cells[3]) + int(cells[4])
    raise LookupError(f"04_bank_conflicts.banks.txt has no row for step {step}")


def least_side():
    """chapters/13_gemm/bounds.h, for floats on an H200."""
    return 2 * 4 * 132 * 128 * 1.98e9 / 4800e9


def scanned(scan):
    return lambda: next(row[scan] for row in data("book/data/scan_operations.json")["rows"] if row["n"] == 1024)


LOADS, STORES = "global load requests", "global store requests"
WAITS, CONFLICTS = "warps that wait at a barrier", "bank conflicts"

PREDICTIONS = {
    "01_global_memory": Number(
        "Commit yourself: how many load requests does a block of 256 threads make in the tree of `sum_in_place`?",
        Counted("02_shared_memory", "sum_in_place", LOADS),
        "Every warp that adds makes two on each level, and one more loads the block's sum at the end.",
    ),
    "02_shared_memory": Number(
        "Commit yourself: how many load requests to global memory does a block of `sum_tile` make?",
        Counted("02_shared_memory", "sum_tile", LOADS),
        "One for each of the eight warps: each element is loaded once.",
    ),
    "03_divergence": Number(
        "Commit yourself: how many shared load requests does a block make if the first threads take the pairs?",
        Counted("03_divergence", "sum_strided", "shared load requests"),
        "Two for each of twelve working warps, and one for the sum.",
    ),
    "04_bank_conflicts": Number(
        "Commit yourself: how many bank conflicts does a block of chapter 03's `sum_strided` have on level 3, where lane `t` "
        "reads `tile[8 * t]`?",
        lambda: conflicts_at_step(8),
        "One warp makes three accesses, each with seven extra passes.",
    ),
    "05_idle_threads": Number(
        "Commit yourself: a block sums 512 elements, and each of its 256 threads loads two. "
        "How often do warps wait at a barrier?",
        Counted("05_idle_threads", "sum_adjacent_tiles", WAITS),
        "Eight warps, nine barriers, and one block in place of two.",
    ),
    "06_warp_unroll": Number(
        "Commit yourself: how many waits at a barrier are left in a block if warp 0 does the last levels alone?",
        Counted("06_warp_unroll", "sum_warp_tail", WAITS),
        "Three barriers for eight warps.",
    ),
    "07_full_unroll": Choice(
        "Commit yourself: the loop asks `blockDim.x`, and the written-out levels add the same pairs. What goes down?",
        ("barriers and shared loads", "branches and instructions", "all four"),
        1,
        "Each level keeps its barrier and its loads. Only the loop's own work goes: computing, comparing, jumping.",
    ),
    "08_grid_sizing": Number(
        "Commit yourself: 2<sup>20</sup> elements, 256 blocks of 256 threads. How many times do warps wait at a barrier?",
        Counted("08_grid_sizing", "sum_fixed<16>", WAITS),
        "24 a block, however many elements a thread adds.",
    ),
    "09_shuffle": Number(
        "Commit yourself: each block sums with shuffles. How many shared load requests do 1,024 blocks make, together with the "
        "one block that then adds up their sums?",
        Counted("09_shuffle", "sum_shuffle", "shared load requests"),
        "One for each block: its first warp reads the eight warps' sums.",
    ),
    "10_scan": Number(
        "Commit yourself: how many additions does Kogge-Stone make for 1,024 elements?",
        scanned("kogge_stone"),
        "On each of ten levels every element takes an addition, except the first `distance` elements.",
    ),
    "11_transpose": Number(
        "Commit yourself: 2<sup>20</sup> floats. How many sectors do the stores of `transpose_read_rows` touch?",
        Counted("11_transpose", "transpose_read_rows", "global store sectors"),
        "In each request, every lane writes to a sector of its own.",
    ),
    "12_bandwidth_limit": Number(
        "Commit yourself: how many load requests are left of 32,770 for 2<sup>20</sup> floats if a load is 16 bytes wide?",
        Counted("12_bandwidth_limit", "float4", LOADS),
        "A quarter of 32,768, and two that read the blocks' sums.",
    ),
    "13_gemm": Number(
        "Commit yourself: what is the shortest side of a square tile that an H200's memory can feed?",
        least_side,
        "8R/W, with R = 132 SMs · 128 multiply-adds a cycle · 1.98 GHz = 33.454 × 10<sup>12</sup> and W = 4.8 × 10<sup>12</sup>.",
        0.02,
    ),
    "14_many_gpus": Number(
        "Commit yourself. One H200 sums 2<sup>24</sup> floats. Then four H200s take a quarter each. On each GPU one kernel "
        "adds up the quarter, and tells the other GPUs the sum. One host thread (a thread of the program on the CPU) "
        "launches all four kernels. "
        "How many times as fast are the four GPUs?",
        lambda: tables_gpus.times_one_gpu(data("book/data/gpus_h200.json"), 4, 1 << 24),
        "Each adds up a quarter. But all wait for the GPU that starts last, and one host thread launches them one by one. "
        "That is only part of the reason; we do not know the rest.",
        0.1,
    ),
    "15_softmax": Number(
        "Commit yourself: 256 rows of 4,096 floats, and a thread for each row. How many load requests do three passes make?",
        Counted("15_softmax", "softmax_three_passes", LOADS),
        "There are 8 warps. A request of a warp reads one element of each of its 32 rows, so a warp makes 4,096 requests in a "
        "pass, and there are three passes.",
    ),
}

QUIZZES = {
    "01_global_memory": [
        Choice(
            "Which of these is slow although its loads are as good as can be?",
            ("`sum_atomic`", "`sum_runs`", "neither"),
            0,
            "Its loads are coalesced; its additions queue for one address.",
        ),
        Number(
            "How many sectors does a load request of `sum_runs` touch?",
            lambda: counted("01_global_memory", "sum_runs", "global load sectors")
            / counted("01_global_memory", "sum_runs", LOADS),
            "Each lane reads its own run, so each reads a sector of its own.",
        ),
        Choice(
            "A warp loads 32 neighbouring floats that begin in the middle of a sector. How many sectors?",
            ("4", "5", "8"),
            1,
            "128 bytes that begin inside a sector touch one more.",
        ),
    ],
    "02_shared_memory": [
        Choice(
            "Who can read what a thread writes to shared memory?",
            ("its warp", "its block", "the grid"),
            1,
            "Each block has a shared memory of its own.",
        ),
        Number(
            "How many times do warps of a block of `sum_tile` wait at a barrier?",
            Counted("02_shared_memory", "sum_tile", WAITS),
            "Nine barriers, eight warps.",
        ),
        Choice(
            "What happens to a kernel that lacks the barrier after loading the tile?",
            ("It is always wrong", "It may be right, by luck", "It does not compile"),
            1,
            "Warps may run in an order that hides the mistake. A check for races finds it all the same.",
        ),
    ],
    "03_divergence": [
        Choice(
            "Of 32 lanes one takes a branch. What do the other 31 do meanwhile?",
            ("run ahead", "wait, idle", "help"),
            1,
            "A warp issues one instruction at a time, for the lanes that want it.",
        ),
        Number(
            "How many divergent branches does a block of `sum_strided` have in PTX?",
            Counted("03_divergence", "sum_strided", "divergent branches"),
            "On five levels a warp has lanes that add and lanes that do not. The thread that stores makes one more.",
        ),
        Choice(
            "What did it cost to give the work to the first threads?",
            ("barriers", "bank conflicts", "global loads"),
            1,
            "The elements of neighbouring lanes lie further apart on each level.",
        ),
    ],
    "04_bank_conflicts": [
        Choice(
            "Lane `t` reads the float `tile[3 * t]`. How many passes?",
            ("1", "3", "32"),
            0,
            "3 and 32 have no common factor, so 32 lanes ask 32 banks.",
        ),
        Choice(
            "Lane `t` reads the float `tile[8 * t]`. How many passes?",
            ("1", "4", "8"),
            2,
            "The lanes ask only four banks, so each bank has to serve eight elements.",
        ),
        Number(
            "How many shared load wavefronts does a block of `sum_sequential` need?",
            Counted("04_bank_conflicts", "sum_sequential", "shared load wavefronts"),
            "As many as it has requests: no conflicts.",
        ),
    ],
    "05_idle_threads": [
        Choice(
            "Which of these falls if each thread adds two elements as it loads them?",
            ("loads per element", "barriers per element", "sectors per element"),
            1,
            "Every element must be loaded; the tree is needed half as often.",
        ),
        Choice(
            "A block has 256 threads and each loads two elements, 256 apart. Are the loads coalesced?",
            ("yes", "only the first", "no"),
            0,
            "In each of the two loads neighbouring lanes read neighbouring elements.",
        ),
    ],
    "06_warp_unroll": [
        Choice(
            "What does `__syncwarp` guarantee?",
            (
                "the lanes run in lockstep from there on",
                "what lanes wrote before it, the others see after it",
                "nothing since 2017",
            ),
            1,
            "It is a barrier of the warp, and orders its lanes' accesses to memory.",
        ),
        Number(
            "How many `__syncwarp` does a block of `sum_warp_tail` execute?",
            Counted("06_warp_unroll", "sum_warp_tail", "__syncwarp"),
            "Two on each of five levels.",
        ),
        Choice(
            "May a `__syncthreads` stand in a branch that only warp 0 takes, if the other warps go on after it?",
            ("yes", "no"),
            1,
            "Every thread that has not returned must come to it.",
        ),
    ],
    "07_full_unroll": [
        Choice(
            "When can the compiler write out a loop in full?",
            ("when it is short", "when the number of its rounds is a constant", "always"),
            1,
            "A number that is known only at run time has to be tested at run time.",
        ),
        Choice(
            "What does `if constexpr` leave of a level that does not exist?",
            ("a branch", "a barrier", "nothing"),
            2,
            "It is decided while compiling.",
        ),
        Number(
            "How many branches does a block of `sum_unrolled<256>` execute?",
            Counted("07_full_unroll", "sum_unrolled<256>", "branches"),
            "Some ask whether an element exists, others which threads a level needs.",
        ),
    ],
    "08_grid_sizing": [
        Choice(
            "A grid has one block more than fits on the GPU at once. What happens?",
            ("the launch fails", "a second wave runs, nearly empty", "it runs on another GPU"),
            1,
            "A wave is as many blocks as fit at once. The last one is seldom full.",
        ),
        Number(
            "How many global store requests do 1,024 blocks of `sum_grid_stride` make?",
            Counted("08_grid_sizing", "sum_grid_stride", STORES),
            "A sum for each block.",
        ),
        Choice(
            "Why does a thread of a grid-stride loop not take a run of neighbouring elements?",
            ("so that neighbouring lanes read neighbouring elements", "to balance the load", "to save registers"),
            0,
            "A run for each thread would give each lane a sector of its own.",
        ),
    ],
    "09_shuffle": [
        Choice(
            "Where do shuffled values travel?",
            ("through shared memory", "from register to register", "through the L1 cache"),
            1,
            "A shuffle addresses no memory, and no lane has to wait for the block.",
        ),
        Number(
            "How many barrier waits do 2<sup>20</sup> elements take with `sum_shuffle`, both launches together?",
            Counted("09_shuffle", "sum_shuffle", WAITS),
            "One barrier in each of 1,025 blocks, eight warps.",
        ),
        Choice(
            "A lane named in the mask of `__shfl_down_sync` never calls it. The result is",
            ("its old value", "0", "undefined"),
            2,
            "Every lane in the mask must call.",
        ),
    ],
    "10_scan": [
        Number(
            "How many additions does Brent-Kung make for 1,024 elements?",
            scanned("brent_kung"),
            "About one per element on the way up, and one on the way down.",
        ),
        Choice(
            "Why can the single pass read and write each element once?",
            ("a tile looks back at the tiles before it", "it skips elements", "it uses one block"),
            0,
            "Its own elements stay in registers while it finds out the sum of what lies before them.",
        ),
        Choice(
            "Suppose status and value have a word each. What must stand between storing the value and storing the status?",
            ("nothing", "a fence", "`__syncwarp`"),
            1,
            "Otherwise another block may see the status before the value.",
        ),
    ],
    "11_transpose": [
        Choice(
            "A tile of 32 × 32 floats is read by columns. What makes it free of conflicts?",
            ("a row of 33", "a row of 34", "a larger block"),
            0,
            "Then a column lies in 32 banks. With rows of 34, it lies in every second bank, and two lanes share each.",
        ),
        Number(
            "How many bank conflicts has `transpose_tile` for 2<sup>20</sup> floats?",
            Counted("11_transpose", "transpose_tile", CONFLICTS),
            "Each of 32,768 loads takes 32 passes instead of one.",
        ),
        Choice(
            "What does a swizzle save, compared with padding?",
            ("shared memory", "instructions", "sectors"),
            0,
            "It leaves no slot unused.",
        ),
    ],
    "12_bandwidth_limit": [
        Number(
            "How many global load requests do 2<sup>20</sup> floats take in `sum_one_launch`?",
            Counted("12_bandwidth_limit", "sum_one_launch", LOADS),
            "A request brings 512 bytes, and two requests read the blocks' sums.",
        ),
        Choice(
            "What do several loads in flight hide?",
            ("too few sectors", "the time that each of them takes", "bank conflicts"),
            1,
            "While one is on its way, the next has already been sent.",
        ),
        Choice(
            "Why does the sum of one launch have the same last bit in every run?",
            ("atomics are ordered", "one block adds the blocks' sums in a fixed order", "floats are exact"),
            1,
            "The order of additions does not depend on which block comes first.",
        ),
    ],
    "13_gemm": [
        Choice(
            "You double a tile's side. The global bytes for each multiply-add",
            ("halve", "stay", "double"),
            0,
            "They are 8/b for a square tile of side b.",
        ),
        Number(
            "How many shared load requests does `gemm_registers` make for 1,024 × 1,024 × 32?",
            Counted("13_gemm", "gemm_registers", "shared load requests"),
            "An eighth of `gemm_tile`'s: an element from shared memory serves eight sums.",
        ),
        Choice(
            "What usually happens to an array of sums with an index that is not a constant?",
            ("it goes to shared memory", "it goes to local memory", "nothing"),
            1,
            "Registers have no addresses.",
        ),
    ],
    "14_many_gpus": [
        Choice(
            "A kernel has written to its own GPU's memory, and sets a flag in that of another. What must stand between?",
            ("`__threadfence()`", "`__threadfence_system()`", "`__syncwarp()`"),
            1,
            "The other two count only for threads of the same GPU, or of the same warp.",
        ),
        Number(
            "Eight GPUs all-reduce by a ring. How many steps come one after another?",
            lambda: 2 * (8 - 1),
            "N − 1 in which they add, N − 1 in which they copy.",
        ),
        Number(
            "Four GPUs all-reduce arrays of 2 GiB by `two_shot`. How many GiB does each take in?",
            lambda: 2 * (4 - 1) / 4 * 2,
            "A part is 2 GiB / 4 = 0.5 GiB. Each GPU takes in 2 × (4 − 1) parts, as with the ring. `one_shot` takes in twice as "
            "much.",
        ),
        Choice(
            "Why does a small `one_shot` on four GPUs take less time with a host thread for each of them?",
            ("the launches need not follow one another", "flags travel faster", "a GPU reads less from the others"),
            0,
            "The first kernel waits until the last has been launched.",
        ),
    ],
    "15_softmax": [
        Choice(
            "A thread has the maximum 3 and the sum 2, and meets an element of 5. What is its sum then?",
            ("2 + exp(5 - 3)", "2 × exp(3 - 5) + 1", "2 + 1"),
            1,
            "The sum so far is scaled to the new maximum, and the new element adds exp(5 - 5).",
        ),
        Number(
            "How many load requests does `softmax_rows` make for 256 rows of 4,096 floats?",
            Counted("15_softmax", "softmax_rows", LOADS),
            "Each element once, 512 bytes a request.",
        ),
        Choice(
            "What should a thread without an element bring to the merge?",
            ("a maximum of 0 and a sum of 0", "a maximum of -∞ and a sum of 0", "a maximum of 0 and a sum of 1"),
            1,
            "If all elements of a row lie below -104, where a float exp is 0, a maximum of 0 makes every exp(x - 0) zero.",
        ),
        Choice(
            "Why do the blocks of `split_rows` take tickets?",
            (
                "to add in a fixed order",
                "so that the parts of a row start before those of later rows",
                "to use more shared memory",
            ),
            1,
            "A block that has not started publishes nothing. Suppose blocks of later rows took all "
            "places and waited: it might never start.",
        ),
    ],
}


def marked(text):
    """`code` as HTML; other markup stays."""
    return re.sub(r"`(.*?)`", lambda match: f"<code>{html.escape(match[1])}</code>", text)


def number_text(value):
    return f"{value:,.0f}" if abs(value - round(value)) < 1e-9 else f"{value:,.2f}"


def markup(question):
    """Lines of a question that reads on paper, too; theme/quiz.js makes a form of it."""
    if isinstance(question, Choice):
        attributes, answer = f'data-right="{question.right}"', marked(question.options[question.right])
        options = "".join(f"<li>{marked(option)}</li>" for option in question.options)
        options = [f'<ol type="a">{options}</ol>']
    else:
        value = question.answer()
        answer, options = number_text(value), []
        attributes = f'data-answer="{round(value, 2):g}"' if value % 1 else f'data-answer="{value:.0f}"'
        attributes += f' data-within="{question.within:g}"'
    return [
        f'<div class="question" {attributes}>',
        f"<p>{marked(question.ask)}</p>",
        *options,
        f"<details><summary>Answer</summary><p><strong>{answer}</strong>. {marked(question.why)}</p></details>",
        "</div>",
    ]


def prediction(page):
    lines = [f'<div class="quiz prediction" data-quiz="{page}.prediction">', *markup(PREDICTIONS[page]), "</div>"]
    return "\n".join(lines) + "\n"


def quiz(page):
    lines = [line for question in QUIZZES[page] for line in markup(question)]
    head = ["## Quiz {#quiz}", "", "Your answers stay in this browser.", "", f'<div class="quiz" data-quiz="{page}">']
    return "\n".join([*head, *lines, "</div>"]) + "\n"
# SPDX-License-Identifier: MIT
