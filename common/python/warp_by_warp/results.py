"""What a run gives, as dataclasses. They are made of the file that GPUSIM_REPORT=FILE.json writes (runtime/report_file.h)."""
import dataclasses

from warp_by_warp import counter_list

# One field for each counter, named as in the JSON of the chapters' programs: global_load_sectors. Counts are int, means float.
Counters = dataclasses.make_dataclass(
    "Counters", [(counter.name, float if counter.decimals else int) for counter in counter_list.ALL], frozen=True,
    namespace={"__doc__": "What a launch, or one line of its source, did. The book's page 'Reading the counters' explains each.",
               "__module__": __name__})


@dataclasses.dataclass(frozen=True)
class Place:
    """A position in a source; line and column count from 1, and column 0 means that none is known."""
    file: str
    line: int
    column: int = 0
    called_at: tuple = ()  # of an inlined function: the places of its calls, the innermost first

    def __str__(self):
        return f"{self.file}:{self.line}" + (f":{self.column}" if self.column else "")


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """What the compiler says of one place."""
    severity: str         # "error", "warning" or "note"
    message: str
    place: Place | None   # None: of the whole program, such as a function that nothing defines
    text: str             # as the compiler prints it: with the source line and a caret


@dataclasses.dataclass(frozen=True)
class Finding:
    """A mistake that a check found in a kernel that ran."""
    check: str            # "race", "never written", "barrier", "shuffle", "out of bounds", "division", "uninitialized" or "leak"
    severity: str         # "error" or "warning"
    kernel: str
    message: str          # what happened, who did it, and what to try
    count: int            # how often
    place: Place | None
    other: Place | None   # the second access of a race
    text: str             # with the source line and a caret


@dataclasses.dataclass(frozen=True)
class Fault:
    """Why a kernel was stopped: an access out of bounds, a deadlock, an endless loop."""
    message: str
    place: Place | None
    text: str


@dataclasses.dataclass(frozen=True)
class Conclusion:
    """Whether another order of threads, or another input of the same size, can make a kernel race."""
    verdict: str          # "proved", "race_free" (results may differ) or "not_proved"
    file: str             # where the reason is; "": nowhere
    line: int
    reason: str           # "takes its address from memory"


@dataclasses.dataclass(frozen=True)
class Proof:
    """What is proved of a kernel's launches of one shape. The book's page 'Proof' explains it."""
    kernel: str
    grid: tuple
    block: tuple
    arguments: str        # of the first such launch
    source: Conclusion    # of the kernel as it is written: needs simcc --keep-accesses
    compiled: Conclusion  # of the code that clang made
    obstacles: tuple      # of Conclusion: every source line that prevents a proof


@dataclasses.dataclass(frozen=True)
class Saving:
    """A cost that a launch could do without, and by how much shorter it would then be."""
    cost: str             # "bank conflicts"
    nanoseconds: float


@dataclasses.dataclass(frozen=True)
class Prediction:
    """How long a GPU would take: computed from a model of it, not measured."""
    machine: str
    nanoseconds: float
    error: float | None   # nine in ten predictions are no further off than this part; None: not known
    derived_from: str | None   # the GPU from whose model this one's is derived, "h100"; None: it was measured
    bottleneck: str       # what decides the time, in a sentence
    savings: tuple        # of Saving, the largest first: each makes up 5 % of the time or more; they do not add up
    is_at_limit: bool     # there are none, and something works nearly all the time
    launch_nanoseconds: float           # what an empty kernel takes, a part of `nanoseconds`
    memory_bytes: float                 # that the GPU's memory reads and writes
    memory_gigabytes_per_second: float
    copy_gigabytes_per_second: float    # what a large copy reads and writes on that GPU
    blocks_per_multiprocessor: int
    registers: int                      # of a thread
    limit: str                          # what keeps more blocks off a multiprocessor
    not_modelled: tuple

    @property
    def milliseconds(self):
        return self.nanoseconds * 1e-6


@dataclasses.dataclass(frozen=True)
class Line:
    """What one source line cost."""
    file: str
    line: int             # 0: the compiler gave none
    counters: Counters
    time_share: float     # of the predicted time of all warps, 0 to 1; 0 without a prediction


@dataclasses.dataclass(frozen=True)
class LinkTraffic:
    """What went from one GPU to another."""
    source: int
    target: int
    requests: int
    bytes: int


@dataclasses.dataclass(frozen=True)
class Launch:
    """One launch of a kernel."""
    kernel: str
    number: int           # 1, 2, 3 … in the program
    grid: tuple
    block: tuple
    shared_bytes: int     # for each block
    local_bytes: int      # for each thread
    completed: bool       # False: a fault stopped it
    compiler: str         # that made the kernel's PTX, such as "clang 14"
    gpu: int
    counters: Counters
    lines: tuple
    prediction: Prediction | None


@dataclasses.dataclass(frozen=True)
class Result:
    """What a program printed, and what its launches did."""
    exit_status: int      # -N: ended by signal N
    stdout: str
    stderr: str
    is_complete: bool     # False: the program ended without a report, so launches and findings are missing
    launches: tuple = ()
    findings: tuple = ()
    proofs: tuple = ()    # of Proof, where checks are on that look for races
    faults: tuple = ()
    warnings: tuple = ()  # Diagnostics of the compiler
    links: tuple = ()
    replayed_launches: int = 0  # of the launches: not run again, because an earlier one had shown what they give
    checks: str = ""      # that were asked for, as GPUSIM_CHECK takes them; "": the usual ones

    def __str__(self):
        from warp_by_warp.tables import text_of_result
        return text_of_result(self)

    def _repr_html_(self):
        from warp_by_warp.tables import html_of_result
        return html_of_result(self)


def place_of(value, shorten):
    if value is None:
        return None
    calls = tuple(place_of(call, shorten) for call in value["called_at"])
    return Place(shorten(value["file"]), value["line"], value["column"], calls)


def counters_of(counted, derived):
    values = {counter_list.json_name(name): value for name, value in (counted | derived).items()}
    return Counters(**{field.name: values[field.name] for field in dataclasses.fields(Counters)})


def prediction_of(value):
    if value is None:
        return None
    values = {field.name: value[field.name] for field in dataclasses.fields(Prediction)}
    return Prediction(**{**values, "not_modelled": tuple(value["not_modelled"]),
                         "savings": tuple(Saving(**saving) for saving in value["savings"])})


def launch_of(value, shorten):
    lines = tuple(Line(shorten(line["file"]), line["line"], counters_of(line["counters"], line["derived"]),
                       line.get("time_share", 0.0)) for line in value["lines"])
    return Launch(
        kernel=value["kernel"], number=value["launch"], grid=tuple(value["grid"]), block=tuple(value["block"]),
        shared_bytes=value["shared_bytes"], local_bytes=value["local_bytes"], completed=value["completed"],
        compiler=value.get("compiler", ""), gpu=value.get("gpu", 0),
        counters=counters_of(value["total"], value["derived"]), lines=lines,
        prediction=prediction_of(value.get("predicted")))


def proof_of(value, shorten):
    conclusion = lambda said: Conclusion(said["verdict"], shorten(said["file"]), said["line"], said["reason"])
    return Proof(value["kernel"], tuple(value["grid"]), tuple(value["block"]), value["arguments"], conclusion(value),
                 conclusion(value["compiled"]), tuple(map(conclusion, value["obstacles"])))


def parts_of_report(report, shorten):
    """The members of a Result that a report's JSON has. `shorten` gives a text with shorter names of files."""
    return {
        "launches": tuple(launch_of(launch, shorten) for launch in report["launches"]),
        "findings": tuple(Finding(f["check"], f["severity"], f["kernel"], shorten(f["message"]), f["count"],
                                  place_of(f["place"], shorten), place_of(f["other"], shorten), shorten(f["text"]))
                          for f in report["findings"]),
        "proofs": tuple(proof_of(proof, shorten) for proof in report["proof"]),
        "faults": tuple(Fault(shorten(f["message"]), place_of(f["place"], shorten), shorten(f["text"]))
                        for f in report["faults"]),
        "links": tuple(LinkTraffic(link["from"], link["to"], link["requests"], link["bytes"]) for link in report["links"]),
        "replayed_launches": report["replayed_launches"],
    }
# SPDX-License-Identifier: MIT
