"""What nvcc's reader takes and clang's does not, written for clang in copies that it reads in the files' place.

  kernel<< <grid, block>> >(…)          the brackets of a launch in two parts, on one line
  __shared__ alignas(16) float tile[4]  alignas behind CUDA's word; clang wants it before
  kernel<<<{4, 4}, {n, 8}>>>(…)         a list in braces, which is a dim3; clang wants to be told
  kernel<<<grid, block>>>(…)            in a kernel: clang knows no such launches; gpusim/detail/child_kernels.h does
  asm("mov.u32 %0, %laneid;" : …)       a register's sign once; in clang's assembler text it stands twice
  reduce(values, fmaxf)                 functions of <math.h> as arguments (functions.py)
  %globaltimer, %p                      in libcu++: in clang's assembler text a register's sign stands twice
  cuda::barrier::~barrier()             in libcu++: clang wants no destructor of a shared variable, and nvcc calls none

A copy has as many lines as its file, and but for the last as many characters in each, so places in messages stay what they are.
"""
import json
import os
import re

from simcc.files import written
from simcc.functions import macros_of, with_typed_functions
from simcc.no_code import NO_CODE

TOKEN = re.compile("(?P<skip> " + NO_CODE + r""" | \boperator\s*<<(?:\s*<)? )
  | (?P<open> <<(?P<open_gap>(?:[ \t]|/\*[^\n]*?\*/)*)<(?![<=]) )
  | (?P<close> >>(?P<close_gap>(?:[ \t]|/\*[^\n]*?\*/)*)>(?![>=]) )
  | (?P<word> \b__(?:shared|device|constant)__ )(?P<aligned_gap> [ \t]+ )(?P<aligned> alignas\s*\((?:[^()\n]|\([^()\n]*\))*\) )
  """, re.VERBOSE | re.DOTALL)
# For launches in device code: where its bodies begin and end.
DEVICE = re.compile(NO_CODE + r"""
  | (?P<mark> \b__(?:global|device)__\b ) | (?P<brace> [{};] ) | (?P<open> <<< ) | (?P<close> >>> )
  """, re.VERBOSE | re.DOTALL)
# For lists in braces between the brackets of a launch.
LAUNCH = re.compile(NO_CODE + r"""
  | (?P<open> <<< ) | (?P<close> >>> ) | (?P<deeper> [({\[] ) | (?P<higher> [)}\]] ) | (?P<next> , ) | (?P<end> ; )
  """, re.VERBOSE | re.DOTALL)
HAS_LIST = re.compile(r"<<<(?:[^;{}]*,)?\s*\{")
OF_LAUNCH = ("dim3", "dim3", "size_t", "cudaStream_t")
KERNEL_NAME = re.compile(r"[A-Za-z_][\w:]*(?:[ \t]*<[^;{}()<>]*>)?[ \t]*$")
# Assembler text with operands, and the registers of a GPU in it.
ASSEMBLER = re.compile(r'\b(?:asm|__asm__|__asm)(?:\s+(?:volatile|__volatile__))?\s*\((?:\s*"(?:\\.|[^"\\\n])*")+(?=\s*:)')
REGISTER = re.compile(r"(?<!%)%(?=(?:laneid|n?warpid|n?smid|gridid|clock(?:64|_hi)?|globaltimer(?:_lo|_hi)?|lanemask_[egl][qte]|"
                      r"n?(?:tid|ctaid)\.[xyz]|dynamic_smem_size|total_smem_size|envreg\d+)\b)")
LIBCUDACXX = "/usr/include/cuda"
FOR_CLANG = [("_CUDA_CHRONO", re.compile(r"(?<!%)%(?=globaltimer)"), "%%"),
             ("_CUDA_PIPELINE", re.compile(r"(?<!%)%(?=p\b)"), "%%"),
             ("_CUDA_BARRIER", re.compile(r"~barrier\(\) \{\s*#if.*?#endif\s*\}", re.DOTALL), "~barrier() = default;")]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(["<])([^">\n]+)[">]', re.MULTILINE)


def rewritten(text):
    """The text as clang takes it."""
    if "__ alignas" not in text and "<< " not in text and ">> " not in text and "<</" not in text:
        return text
    is_open = False  # a launch: `>> >` closes one, and templates otherwise

    def replace(token):
        nonlocal is_open
        if token["open"]:
            is_open = True
            return "<<<" + token["open_gap"]
        if token["close"] and is_open:
            is_open = False
            return token["close_gap"] + ">>>"
        if token["word"]:
            return token["aligned"] + token["aligned_gap"] + token["word"]
        return token[0]

    return TOKEN.sub(replace, text)


def with_named_lists(text):
    """The text with the type before each list in braces that is an argument of a launch."""
    if not HAS_LIST.search(text):
        return text
    pieces, written, argument, depth = [], 0, None, 0  # argument: which one of a launch begins here
    for token in LAUNCH.finditer(text):
        if token["open"]:
            argument, depth = 0, 0
        elif token["close"] or token["end"]:
            argument = None
        elif argument is not None and token["next"] and depth == 0:
            argument += 1
        elif token["deeper"]:
            if token["deeper"] == "{" and argument is not None and depth == 0 and argument < len(OF_LAUNCH):
                if text[written:token.start()].rstrip().endswith((",", "<<<")):
                    pieces += [text[written:token.start()], OF_LAUNCH[argument]]
                    written = token.start()
            depth += 1
        elif token["higher"]:
            depth -= 1
    return "".join([*pieces, text[written:]])


def with_registers(text):
    """The text with two signs before the name of each register in assembler text."""
    return ASSEMBLER.sub(lambda found: REGISTER.sub("%%", found[0]), text) if "asm" in text else text


def libcudacxx_for_clang(text):
    """The text, with what clang takes in place of what it does not, if it is such a header of libcu++."""
    for guard, pattern, replacement in FOR_CLANG:
        if f"#define {guard}\n" in text:
            text = pattern.sub(lambda found, to=replacement: to + "\n" * found[0].count("\n"), text)
    return text


def with_child_kernels(text):
    """The text with ChildKernel objects in place of the launches that stand in device code."""
    if "<<<" not in text or "__global__" not in text:
        return text
    pieces, written, depth, body, marked, name = [], 0, 0, None, False, None
    for token in DEVICE.finditer(text):
        if token["mark"]:
            marked = True
        elif token["brace"] == "{":
            depth += 1
            if marked and body is None:
                body = depth
            marked = False
        elif token["brace"]:
            if token["brace"] == "}":
                if body == depth:
                    body = None
                depth -= 1
            marked = False
        elif token["open"] and body is not None and name is None:
            name = KERNEL_NAME.search(text, max(written, token.start() - 200), token.start())
            if name:
                kernel = name[0].strip()
                pieces += [text[written:name.start()], f'::gpusim::detail::ChildKernel<decltype({kernel})>("{kernel}", ']
                written = token.end()
        elif token["close"] and name:
            pieces += [text[written:token.start()], ")"]
            written, name = token.end(), None
    return "".join([*pieces, text[written:]])


def read(path):
    with open(path, encoding="latin-1", newline="") as file:  # any bytes, each as it is
        return file.read()


def folders_of(options):
    """The folders that -I names."""
    return [value for option, value in zip(options, options[1:]) if option == "-I"]


def sources_of(source, options):
    """(path, text) of a source and its headers, of its own folder and those of -I."""
    folders, queue, seen = folders_of(options), [os.path.abspath(source)], set()
    while queue:
        path = queue.pop()
        if path in seen or not os.path.isfile(path):
            continue
        seen.add(path)
        text = read(path)
        yield path, text
        for quote, name in INCLUDE.findall(text):
            own = [os.path.dirname(path)] if quote == '"' else []
            queue += [os.path.abspath(os.path.join(folder, name)) for folder in own + folders]


def mention_libcudacxx(sources):
    return any(quote == "<" and re.match("(cuda|nv)/", name) for _, text in sources for quote, name in INCLUDE.findall(text))


def packaged_libcudacxx():
    """(path, text) of headers of a package's libcu++ that may not be as clang takes them."""
    paths = [os.path.join(LIBCUDACXX, name) for name in ("pipeline", "std/barrier", "std/chrono")]
    return [(path, read(path)) for path in paths if os.path.isfile(path)]


def overlay(sources, scratch):
    """clang's option to read copies in place of those of the sources, (path, text), that need it; [] if none does."""
    changed, macros = {}, macros_of(sources)
    for path, text in sources:
        copy = libcudacxx_for_clang(with_child_kernels(with_named_lists(with_registers(rewritten(text)))))
        copy = with_typed_functions(copy, macros)
        if copy != text:
            changed[path] = os.path.join(scratch, f"{len(changed)}.read")
            with written(changed[path], encoding="latin-1", newline="") as file:
                file.write(copy)
    if not changed:
        return []
    description = os.path.join(scratch, "overlay.json")
    files = [{"type": "directory", "name": os.path.dirname(path),
              "contents": [{"type": "file", "name": os.path.basename(path), "external-contents": copy}]}
             for path, copy in changed.items()]
    with written(description, encoding="utf-8", errors="surrogateescape") as file:
        json.dump({"version": 0, "use-external-names": False, "roots": files}, file, ensure_ascii=False)
    return ["-ivfsoverlay", description]
# SPDX-License-Identifier: MIT
