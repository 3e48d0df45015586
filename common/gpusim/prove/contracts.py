"""What a kernel may rely on: how large its blocks are, which grids the host launches, and how long its arrays are.

A contract is an object in JSON:
  {"kernel": "sum_tile", "block": [256],
   "parameters": {"in": "float[n]", "block_sums": "float[grid]", "n": "int"},
   "where": ["0 <= n <= 2**30", "grid == max(1, ceil_div(n, 256))"]}
"columns % 4 == 0" is a condition, too. A kernel in a namespace is "chapter_02::sum_tile". `grid` is gridDim.x; gridDim.y and .z
are 1. Different arrays have no byte in common. A parameter that is a structure is an object of its members. Of a template,
"template" is the mangled text of its arguments, such as "ILi256EE", and "instantiate" a declaration that instantiates it. An
array begins at a multiple of its element's bytes, or of those that are named: "float[n] at 16". A bool is a number, 0 or 1. Of a
kernel with dynamic shared memory, "shared" says how much the launch gives it: {"slots": "float[256]"}.
"""
import ast
import json
import pathlib
import re

from . import polynomials as p
from .values import BLOCK, THREAD, at_least, equal

BYTES = {"float": 4, "int": 4, "unsigned": 4, "double": 8, "float4": 16, "long long": 8}
NUMBERS = {"int": (-(1 << 31), (1 << 31) - 1), "unsigned": (0, (1 << 32) - 1), "bool": (0, 1)}


class BadContract(Exception):
    """What is wrong with a contract."""


class Contract:
    def __init__(self, described, where):
        self.where = where
        try:
            self.kernel, self.template = described["kernel"], described.get("template", "")
            self.instantiate = described.get("instantiate", "")
            self.block = tuple(described["block"]) + (1,) * (3 - len(described["block"]))
            parameters, conditions = described["parameters"], described.get("where", [])
        except (KeyError, TypeError) as error:
            raise BadContract(f"{where}: a contract lacks {error}; see the first lines of prove/contracts.py") from None
        self.variables, self.clauses, self.alignments, self.at = {}, [], {}, {}
        self.text, self.numbers = conditions, []
        self.fixed = {}  # what the conditions say to be one number: a constant in place of a variable
        self.add_builtins()
        lengths = self.add_parameters(parameters)
        shared = {name: self.array_type(name, of) for name, of in described.get("shared", {}).items()}
        for condition in conditions:
            self.add_condition(condition)
        self.arrays = {name: self.bytes_of(*of) for name, of in lengths.items()}
        self.shared = {name: self.bytes_of(*of) for name, of in shared.items()}

    def add_builtins(self):
        for axis, size in zip("xyz", self.block):
            tid = p.variable(f"tid.{axis}")
            self.variables[f"tid.{axis}"] = ([[[at_least(tid, {})]], [[at_least(p.constant(size - 1), tid)]]], {THREAD})
        grid, ctaid = p.variable("grid"), p.variable("ctaid.x")
        self.variables["grid"] = ([[[at_least(grid, p.constant(1))]], [[at_least(grid, {})]],
                                   [[at_least(p.constant((1 << 31) - 1), grid)]]], set())
        self.variables["ctaid.x"] = ([[[at_least(ctaid, {})]], [[at_least(grid, p.plus(ctaid, p.constant(1)))]]], {BLOCK})

    def array_type(self, name, text):
        """(type, text of its length) of dynamic shared memory."""
        array = re.fullmatch(r"([\w ]+)\[(.*)\]", text)
        if not array or array[1] not in BYTES:
            raise BadContract(f"{self.where}: {self.kernel}: how long the shared memory {name} is: '{text}'; write float[256]")
        return array[1], array[2]

    def bytes_of(self, of, length):
        return p.scaled(self.value(self.parsed(length), length), BYTES[of])

    def add_parameters(self, parameters):
        """{array: (type, text of its length)}; fills `at`: (number of the parameter, offset) to (kind, name, bits)."""
        lengths = {}
        for number, (name, kind) in enumerate(parameters.items()):
            offset = 0
            for member, of in (kind.items() if isinstance(kind, dict) else [(name, kind)]):
                array = re.fullmatch(r"([\w ]+)\[(.*)\](?: at (\d+))?", of)
                size = 8 if array else 1 if of == "bool" else BYTES.get(of)
                if size is None or (array and array[1] not in BYTES):
                    raise BadContract(f"{self.where}: {self.kernel}: the type '{of}' of {member} is not known; "
                                      f"known are {', '.join(BYTES)}, bool, and arrays of them: float[n]")
                offset = -(-offset // size) * size
                if array:
                    lengths[member] = (array[1], array[2])
                    self.alignments[member] = int(array[3] or BYTES[array[1]])
                    self.variables["&" + member] = ([], set())
                    self.at[number, offset] = ("array", "&" + member, 64)
                elif of in NUMBERS:
                    low, high = (p.constant(bound) for bound in NUMBERS[of])
                    term = p.variable(member)
                    self.numbers.append(member)
                    self.variables[member] = ([[[at_least(term, low)]], [[at_least(high, term)]]], set())
                    self.at[number, offset] = ("whole", member, 8 * size)
                else:
                    self.at[number, offset] = ("opaque", member, 8 * size)
                offset += size
        return lengths

    def parsed(self, text):
        try:
            return ast.parse(text, mode="eval").body
        except SyntaxError:
            raise BadContract(f"{self.where}: {self.kernel}: '{text}' is not an expression") from None

    def new(self, kind, clauses_of):
        name = f"{kind}.{len(self.variables)}"
        self.variables[name] = ([], set())
        self.clauses += clauses_of(p.variable(name))
        return p.variable(name)

    def value(self, node, text):
        """The polynomial of an expression."""
        if isinstance(node, ast.Constant) and isinstance(node.value, int):
            return p.constant(node.value)
        if isinstance(node, ast.Name) and node.id in self.variables:
            return p.variable(node.id)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Pow)):
            left, right = self.value(node.left, text), self.value(node.right, text)
            if isinstance(node.op, ast.Pow):
                return p.constant(p.value_of(left) ** p.value_of(right))
            return {ast.Add: p.plus, ast.Sub: p.minus, ast.Mult: p.times}[type(node.op)](left, right)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            left, by = self.value(node.left, text), p.value_of(self.value(node.right, text))
            if by is not None and by > 0:
                rest = lambda q: p.minus(left, p.scaled(q, by))
                name = f"quotient.{len(self.variables)}"
                self.new("quotient", lambda q: [[[at_least(rest(q), {})]], [[at_least(p.constant(by - 1), rest(q))]]])
                return rest(p.variable(name))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 2:
            left, right = (self.value(argument, text) for argument in node.args)
            if node.func.id == "ceil_div":  # by a positive number
                most = p.minus(p.plus(left, right), p.constant(1))
                return self.new("ceiling", lambda c: [[[at_least(p.times(c, right), left)]],
                                                      [[at_least(most, p.times(c, right))]]])
            if node.func.id == "max":
                return self.new("maximum", lambda m: [[[equal(m, one), at_least(one, other)]
                                                       for one, other in ((left, right), (right, left))]])
        raise BadContract(f"{self.where}: {self.kernel}: '{text}' is not understood; "
                          "use names of parameters, grid, whole numbers, + - * **, % by a number, ceil_div(a, b), max(a, b)")

    def add_condition(self, text):
        node = self.parsed(text)
        if not isinstance(node, ast.Compare):
            raise BadContract(f"{self.where}: {self.kernel}: '{text}' compares nothing")
        left = self.value(node.left, text)
        for operator, right in zip(node.ops, node.comparators):
            right = self.value(right, text)
            less_by = p.constant(1 if isinstance(operator, (ast.Lt, ast.Gt)) else 0)
            if isinstance(operator, (ast.Lt, ast.LtE)):
                self.clauses.append([[at_least(right, p.plus(left, less_by))]])
            elif isinstance(operator, (ast.Gt, ast.GtE)):
                self.clauses.append([[at_least(left, p.plus(right, less_by))]])
            elif isinstance(operator, ast.Eq):
                self.clauses.append([[equal(left, right)]])
                if len(node.ops) == 1 and isinstance(node.left, ast.Name) and p.value_of(right) is not None:
                    self.fixed[node.left.id] = right
            else:
                raise BadContract(f"{self.where}: {self.kernel}: '{text}': only < <= == >= > are understood")
            left = right

    def is_of(self, mangled):
        parts = "".join(f"{len(part)}{part}" for part in self.kernel.split("::"))
        nested = "N" if "::" in self.kernel else ""
        return mangled.startswith(f"_Z{nested}{parts}{self.template}")


def contracts_of(path):
    try:
        described = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadContract(f"{path}: {error}") from None
    if not isinstance(described, list):
        raise BadContract(f"{path}: a list of contracts is expected, one object for each kernel")
    return [Contract(each, path) for each in described]
# SPDX-License-Identifier: MIT
