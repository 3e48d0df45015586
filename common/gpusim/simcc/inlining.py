"""Which call a line of inlined code stands for.

clang 14 to 19 say it for a GPU only in the tables of a debugger (DWARF 2, as the text of sections in the PTX); nvcc says
it in the .loc before an instruction, and so does the PTX that simcc hands on:

    .loc 1 5 3, function_name $L__info_string0, inlined_at 1 20 7      ("Debugging Directives: .loc" of the PTX ISA)
"""
import re
import struct

# DWARF 2, "Appendix A": the tags, attributes and forms that occur here.
INLINED_SUBROUTINE = 0x1D
NAME, LOW_PC, HIGH_PC, PRODUCER, ORIGIN, RANGES = 0x03, 0x11, 0x12, 0x25, 0x31, 0x55
CALL_COLUMN, CALL_FILE, CALL_LINE = 0x57, 0x58, 0x59
ADDR, DATA2, DATA4, DATA8, STRING, DATA1, FLAG, STRP, REF4, SEC_OFFSET, FLAG_PRESENT = (
    0x01, 0x05, 0x06, 0x07, 0x08, 0x0B, 0x0C, 0x0E, 0x13, 0x17, 0x19)
WIDTH = {ADDR: 8, DATA2: 2, DATA4: 4, DATA8: 8, DATA1: 1, FLAG: 1, STRP: 4, REF4: 4, SEC_OFFSET: 4, FLAG_PRESENT: 0}

SECTION = re.compile(r"^\t\.section\t(\.debug_\w+)\s*\{(.*?)\}\n?", re.MULTILINE | re.DOTALL)
LABEL = re.compile(r"(L(?:tmp|func_begin|func_end)\d+|\$L__(?:tmp|func_begin|func_end)\d+):")
LOC = re.compile(r"\t\.loc\t(\d+) (\d+) (\d+)(?= *(?://|$))")


class Section:
    """The bytes that a section's directives stand for, and which labels stand where."""

    def __init__(self, text):
        self.data, self.labels, self.names = bytearray(), {}, {}
        for line in text.split("\n"):
            line = line.partition("//")[0].rstrip()
            if line.endswith(":"):
                self.names[line[:-1]] = len(self.data)
            elif line.startswith(".b"):
                bits, _, values = line[2:].partition(" ")
                for value in values.split(","):
                    self.append(int(bits) // 8, value.strip())

    def append(self, width, value):
        try:
            number = int(value, 0)
        except ValueError:
            label, _, offset = value.partition("+")
            number = int(offset or 0)
            self.labels[len(self.data)] = label.partition("-")[0]
        self.data += (number % (1 << 8 * width)).to_bytes(width, "little")

    def number(self, at, width):
        return int.from_bytes(self.data[at:at + width], "little")

    def leb128(self, at):
        value = shift = 0
        while True:
            byte = self.data[at]
            value |= (byte & 127) << shift
            at, shift = at + 1, shift + 7
            if byte < 128:
                return value, at

    def string(self, at):
        end = self.data.index(0, at)
        return self.data[at:end].decode("utf-8", "surrogateescape"), end + 1


def abbreviations(section):
    """code → (tag, has children, [(attribute, form)])"""
    known, at = {}, 0
    while at < len(section.data):
        code, at = section.leb128(at)
        if code == 0:
            break
        tag, at = section.leb128(at)
        has_children, at, attributes = section.data[at], at + 1, []
        while True:
            attribute, at = section.leb128(at)
            form, at = section.leb128(at)
            if not attribute:
                break
            attributes.append((attribute, form))
        known[code] = (tag, has_children, attributes)
    return known


class Call:
    """A call whose callee stands in the caller's code."""

    def __init__(self, entry, depth):
        self.origin, self.depth, self.callee = entry.get(ORIGIN), depth, ""
        self.place = f"{entry[CALL_FILE]} {entry[CALL_LINE]} {entry.get(CALL_COLUMN, 0)}"

    def said(self, labels):
        """What a .loc of the callee's code ends with."""
        label = labels.setdefault(self.callee, f"$L__info_string{len(labels)}")
        return f", function_name {label}, inlined_at {self.place}"


def calls_and_ranges(sections):
    """([(call, first label, last label)], "clang version 14.0.6"): a caller's own call before those in what it calls."""
    info, known = sections[".debug_info"], abbreviations(sections[".debug_abbrev"])
    version, address_bytes = struct.unpack_from("<H", info.data, 4)[0], info.data[10]
    if version != 2 or address_bytes != 8:
        return [], ""
    found, names, at, depth, producer = [], {}, 11, 0, ""
    while at < len(info.data):
        begin = at
        code, at = info.leb128(at)
        if code == 0:
            depth -= 1
            continue
        tag, has_children, attributes = known[code]
        entry = {}
        for attribute, form in attributes:
            if form == STRING:
                entry[attribute], at = info.string(at)
                continue
            entry[attribute] = info.labels[at] if form == ADDR else info.number(at, WIDTH[form])
            if form == STRP:
                entry[attribute] = sections[".debug_str"].string(
                    entry[attribute] + sections[".debug_str"].names.get(info.labels[at], 0))[0]
            if attribute == RANGES and form == DATA4:
                entry[attribute] += sections[".debug_ranges"].names.get(info.labels.get(at), 0)
            at += WIDTH[form]
        names[begin] = entry.get(NAME, "")
        producer = entry.get(PRODUCER, producer)
        if tag == INLINED_SUBROUTINE and CALL_LINE in entry:
            call = Call(entry, depth)
            found += [(call, *ends) for ends in ranges_of(entry, sections)]
        depth += has_children
    for call, _, _ in found:
        call.callee = names.get(call.origin, "")
    return found, producer


def ranges_of(entry, sections):
    if RANGES not in entry:
        return [(entry[LOW_PC], entry[HIGH_PC])] if LOW_PC in entry else []
    section, at, ranges = sections[".debug_ranges"], entry[RANGES], []
    while at in section.labels:
        ranges.append((section.labels[at], section.labels[at + 8]))
        at += 16
    return ranges


def with_calls(text):
    """The PTX text with inlined_at where code is inlined, and without the tables that say it. Its last line says which compiler
    made it, as those tables do: // simcc: compiled by clang 14"""
    sections = {m[1]: Section(m[2]) for m in SECTION.finditer(text)}
    try:
        found, producer = calls_and_ranges(sections)
    except (KeyError, IndexError, ValueError, struct.error):
        found, producer = [], ""  # another version of clang may write other tables: then lines are right but have no callers
    text = re.sub(r"^(\.target sm_\w+), debug$", r"\1", SECTION.sub("", text), flags=re.MULTILINE)
    begins, ends = {}, {}
    for call, first, last in found:
        begins.setdefault(first, []).append(call)
        ends.setdefault(last, []).append(call)
    labels = {}  # of the names of what is called
    lines, active, told = [], [], []
    for line in text.split("\n"):
        if mark := LABEL.match(line):
            active = [call for call in active if call not in ends.get(mark[1], [])]
            active = sorted(active + begins.get(mark[1], []), key=lambda call: call.depth)
            continue
        if active and (place := LOC.match(line)):
            said = [call.said(labels) for call in active]
            if said != told:  # where each call stands, from the outermost on
                lines += [f"\t.loc\t{call.place}{within}" for call, within in zip(active, ["", *said])]
                told = said
            line = place[0] + said[-1]
        lines.append(line)
    return "\n".join(lines) + strings(labels) + made_by(producer)


def made_by(producer):
    version = re.search(r"clang version (\d+)", producer)
    return f"// simcc: compiled by clang {version[1]}\n" if version else ""


def strings(labels):
    if not labels:
        return ""
    text = "\t.section\t.debug_str\n\t{\n"
    for name, label in labels.items():
        data = name.encode("utf-8", "surrogateescape") + b"\0"
        text += f"{label}:\n.b8 {','.join(str(byte) for byte in data)}\n"
    return text + "\t}\n"
# SPDX-License-Identifier: MIT
