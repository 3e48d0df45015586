"""Reads the kernels of a PTX text: instructions, basic blocks, natural loops."""
import re
from dataclasses import dataclass, field

ENTRY = re.compile(r"^(?:\.visible |\.weak )*\.entry ([\w$.]+)\((.*?)\)(.*?)^\{(.*?)^\}", re.MULTILINE | re.DOTALL)
SHARED = re.compile(r"^\s*((?:\.\w+ )*?)\.shared (?:\.align (\d+) )?\.([bsuf]\d+) ([\w$]+)(\[(\d*)\])?;", re.MULTILINE)
LOCAL = re.compile(r"^\s*\.local (?:\.align (\d+) )?\.([bsuf]\d+)\s+([\w$]+)(?:\[(\d+)\])?;", re.MULTILINE)
FILE = re.compile(r'^\s*\.file\s+(\d+) "(.*?)"', re.MULTILINE)
LABEL = re.compile(r"^([\w$]+):$")
INSTRUCTION = re.compile(r"^(?:@(!?)(%p\d+)\s+)?([a-z][\w.:]*)(?:\s+(.*))?;$")


class NotUnderstood(Exception):
    """Why nothing is proved: text, and the place."""

    def __init__(self, why, instruction=None):
        super().__init__(why)
        self.why, self.instruction = why, instruction


@dataclass
class Instruction:
    number: int
    opcode: str
    operands: list
    guard: str = ""  # the register
    guard_is: bool = True  # the value with which the instruction is executed
    file: int = 0
    line: int = 0


@dataclass
class Block:
    number: int
    instructions: list = field(default_factory=list)
    next: list = field(default_factory=list)  # numbers of blocks; of a guarded branch: where it goes, then what follows


@dataclass
class Loop:
    header: int
    body: set


@dataclass
class Kernel:
    name: str
    parameters: list  # bytes of each
    blocks: list
    shared: dict  # name: (bytes, alignment); of dynamic shared memory: (None, alignment)
    local: dict  # arrays that each thread has for itself: name: (bytes, alignment)
    files: dict  # number: path
    order: dict  # block: position, in which each comes before those that follow it, back edges aside
    loops: dict  # header: Loop

    def place(self, instruction):
        if instruction is None or not instruction.line:
            return self.name
        return f"{self.files.get(instruction.file, '?')}:{instruction.line}"


def operands_of(text):
    """Splits at commas that are in no braces or brackets."""
    return [part.strip() for part in re.split(r",(?![^{\[]*[}\]])", text)] if text else []


def instructions_of(body, name):
    """Instructions, and the labels before each: (labels, instruction)."""
    labels, found, file, line = [], [], 0, 0
    for text in body.split("\n"):
        text = re.sub(r"//.*", "", text).strip()
        if not text or text in ("{", "}"):
            continue
        if location := re.match(r"\.loc\s+(\d+) (\d+)", text):
            file, line = int(location[1]), int(location[2]) or line
        elif label := LABEL.match(text):
            labels.append(label[1])
        elif text.startswith((".reg", ".shared", ".local", ".pragma")):
            continue
        elif match := INSTRUCTION.match(text):
            guard, opcode, operands = (match[2] or "", not match[1]), match[3], operands_of(match[4])
            found.append((labels, Instruction(len(found), opcode, operands, *guard, file, line)))
            labels = []
        else:
            raise NotUnderstood(f"{name}: the line '{text}' is not understood")
    if labels:
        found.append((labels, Instruction(len(found), "ret", [])))
    return found


def blocks_of(listed, name):
    blocks, at_label = [Block(0)], {}
    for labels, instruction in listed:
        if labels and (blocks[-1].instructions or any(label in at_label for label in labels)):
            blocks.append(Block(len(blocks)))
        at_label.update(dict.fromkeys(labels, len(blocks) - 1))
        blocks[-1].instructions.append(instruction)
        if instruction.opcode.startswith("bra") or instruction.opcode in ("ret", "exit", "trap"):
            blocks.append(Block(len(blocks)))
    blocks = [b for b in blocks if b.instructions]
    for block in blocks:
        last = block.instructions[-1]
        jumps = last.opcode.startswith("bra")
        if jumps and last.operands[0] not in at_label:
            raise NotUnderstood(f"{name} has no label {last.operands[0]}", last)
        if jumps:
            block.next.append(at_label[last.operands[0]])
        if last.guard or not (jumps or last.opcode in ("ret", "exit", "trap")):
            if block.number + 1 >= len(blocks):
                raise NotUnderstood(f"{name} runs past its end", last)
            block.next.append(block.number + 1)
    return blocks


def reverse_postorder(blocks):
    seen, order, stack = {0}, [], [(0, iter(blocks[0].next))]
    while stack:
        number, successors = stack[-1]
        for successor in successors:
            if successor not in seen:
                seen.add(successor)
                stack.append((successor, iter(blocks[successor].next)))
                break
        else:
            order.append(number)
            stack.pop()
    return {number: position for position, number in enumerate(reversed(order))}


def dominators(blocks, order):
    numbers = sorted(order, key=order.get)
    before = {n: [m for m in numbers if n in blocks[m].next] for n in numbers}
    found = {n: set(numbers) for n in numbers}
    found[0] = {0}
    changed = True
    while changed:
        changed = False
        for n in numbers[1:]:
            new = {n} | set.intersection(*(found[m] for m in before[n]))
            changed |= new != found[n]
            found[n] = new
    return found, before


def loops_of(blocks, order, name):
    found, before = dominators(blocks, order)
    loops = {}
    for n in order:
        for header in blocks[n].next:
            if order[header] > order[n]:
                continue
            if header not in found[n]:
                raise NotUnderstood(f"{name} has a loop with two entries", blocks[n].instructions[-1])
            body, work = {header}, [n]
            while work:
                m = work.pop()
                if m not in body:
                    body.add(m)
                    work += before[m]
            loops.setdefault(header, Loop(header, set())).body |= body
    return loops


def shared_arrays(text):
    """{name: (bytes, the number of which its address is a multiple)}; bytes is None where the launch says how many."""
    found = {}
    for words, align, of, name, is_array, count in SHARED.findall(text):
        element = int(of[1:]) // 8
        is_dynamic = ".extern" in words or (is_array and count in ("", "0"))
        found[name] = (None if is_dynamic else element * int(count or 1), int(align or element))
    return found


def local_arrays(body):
    """{name: (bytes, the number of which its address is a multiple)}"""
    return {name: (int(of[1:]) // 8 * int(count or 1), int(align or int(of[1:]) // 8))
            for align, of, name, count in LOCAL.findall(body)}


def kernels_of(text):
    """{mangled name: a function that makes the Kernel, or raises NotUnderstood}."""
    files = {int(n): path for n, path in FILE.findall(text)}
    outside = shared_arrays(ENTRY.sub("", text))

    def kernel(match):
        name, body = match[1], match[4]
        blocks = blocks_of(instructions_of(body, name), name)
        order = reverse_postorder(blocks)
        parameters = re.findall(r"\.param (.*?) (?:\S+)(?:,|\s*$)", match[2], re.MULTILINE)
        return Kernel(name, parameters, blocks, outside | shared_arrays(body), local_arrays(body), files, order,
                      loops_of(blocks, order, name))

    return {match[1]: lambda match=match: kernel(match) for match in ENTRY.finditer(text)}
# SPDX-License-Identifier: MIT
