"""Copies of CUDA's vector types are one access each, as nvcc makes them.

    const float4 v = *reinterpret_cast<const float4*>(&tile[4 * t]);

clang copies an aggregate as a number of bytes. If it has seen the alignment of the elements through a cast, or if one of them is
used elsewhere, it reads them one by one. Assignments are vectors already (vector_types.h), but a copy that initialises a variable
has no body that a header could give it. So clang stops after its first half, with LLVM IR that is not yet optimised, and
here each copy of 8 or 16 bytes into a variable of such a type becomes a load and a store of a vector.
"""
import re

ELEMENTS = {"short": "i16", "int": "i32", "long": "i64", "longlong": "i64", "float": "float", "double": "double"}
TYPES = rf"(?:u?(?:{'|'.join(ELEMENTS)}))"
MENTION = re.compile(rf"\b{TYPES}[24]\b")
VARIABLE = re.compile(rf"^  (%\S+) = alloca %struct\.u?({'|'.join(ELEMENTS)})([24])\b", re.MULTILINE)
BITCAST = re.compile(r"^  (%\S+) = bitcast \S+ (%\S+) to i8\*", re.MULTILINE)
POINTER = r"(?:i8\*|ptr) \S* ?align \d+"
COPY = re.compile(rf"^  call void @llvm\.memcpy\.\S+\({POINTER} (?P<to>%\S+), {POINTER} (?P<from>%\S+), "
                  r"i64 (?P<bytes>8|16), i1 false\)(?P<rest>.*)$", re.MULTILINE)
FUNCTION = re.compile(r"^define .*?^}", re.MULTILINE | re.DOTALL)


def mention_vectors(sources):
    """Whether sources, (path, text), may copy one."""
    return any(MENTION.search(text) for _, text in sources)


def of_function(text):
    """A function's text with its copies of vectors from memory as one load and one store each."""
    variables = {name: f"<{count} x {ELEMENTS[element]}>" for name, element, count in VARIABLE.findall(text)}
    if not variables:
        return text
    origin = dict(BITCAST.findall(text))
    number = 0

    def whole(copy):
        nonlocal number
        place = origin.get(copy["to"], copy["to"])
        if place not in variables or origin.get(copy["from"], copy["from"]) in variables:
            return copy[0]
        number += 1
        size, vector = copy["bytes"], variables[place]
        line = "".join(re.findall(r", !dbg !\d+", copy["rest"]))
        names = {which: copy[which] for which in ("from", "to")}
        casts, pointer = "", "ptr"
        if "(i8*" in copy[0]:
            pointer = vector + "*"
            for which, name in names.items():
                names[which] = f"%vector.{which}{number}"
                casts += f"  {names[which]} = bitcast i8* {name} to {pointer}\n"
        return (f"{casts}  %vector{number} = load {vector}, {pointer} {names['from']}, align {size}{line}\n"
                f"  store {vector} %vector{number}, {pointer} {names['to']}, align {size}{line}")

    return COPY.sub(whole, text)


def with_whole_vectors(text):
    """LLVM IR that has all of them."""
    return FUNCTION.sub(lambda function: of_function(function[0]), text)
# SPDX-License-Identifier: MIT
