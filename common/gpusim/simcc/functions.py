"""Functions of <math.h> as arguments: clang has two of each name, one of the host and one of kernels, and deduces no type from
both. nvcc has one. So such an argument is written as what it is:

  reduce(values, fmaxf)   reduce(values, ((float(*)(float,float))fmaxf))
  auto f = expf;          auto f = ((float(*)(float))expf);

What belongs to a macro stays: it may make a name or a text of its argument. So does a name that a source declares itself: after
`float sinf, cosf;` these are variables.
"""
import re

from simcc.no_code import NO_CODE

UNARY = """acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf erff erfcf expf exp10f exp2f expm1f fabsf floorf
           lgammaf logf log10f log1pf log2f logbf nearbyintf rintf roundf rsqrtf sinf sinhf sqrtf tanf tanhf
           tgammaf truncf""".split()
BINARY = "atan2f copysignf fdimf fmaxf fminf fmodf hypotf nextafterf powf remainderf".split()
TYPE_OF = {**dict.fromkeys(UNARY, "float(*)(float)"), **dict.fromkeys(BINARY, "float(*)(float,float)"),
           "fmaf": "float(*)(float,float,float)"}
NAME = rf"\b(?:{'|'.join(TYPE_OF)})\b"
NAMES = rf"{NAME}(?=\s*[,);])"
STRING = r'''"(?:\\.|[^"\\\n])*"'''
MENTIONED = re.compile(NAMES)
TOKEN = re.compile(rf"""
    (?P<skip> {NO_CODE} | ^[ \t]*\#(?:[^\\\n]|\\.|\\\n)* )
  | (?P<address> &\s* )?(?P<name> {NAMES} )
  | (?P<called> (?:\b[A-Za-z_]\w*)?[ \t]* )(?P<open> \( )
  | (?P<close> \) )
  """, re.VERBOSE | re.DOTALL | re.MULTILINE)
SKIPPED = re.compile(rf"//[^\n]*|/\*.*?\*/|{STRING}", re.DOTALL)
# A name behind a type (`float sinf;` `float *sinf, f(…)` `vector<float> sinf(n)`), behind a declarator's comma, behind the star
# of a function pointer, and in the brackets of a structured binding.
DECLARED = re.compile(rf"""
    (?<!\w)(?!(?:return|else|case|throw|co_return|co_yield|goto|new|delete|sizeof|typename|and|or|not)\b)[A-Za-z_]\w*
      (?: (?:\s|[*&])*[\s*&] (?P<variable> {NAME} )(?=\s*[=;,)\[{{:]) | \s+ (?P<function> {NAME} )(?=\s*\() )
  | > \s* [*&]*\s* (?P<of_template> {NAME} )(?=\s*[=;,)\[{{]) | \w<[\w\s:,*]*>\s+ (?P<constructed> {NAME} )(?=\s*\()
  | , \s* [*&]*\s* (?P<another> {NAME} )(?=\s*[=;\[{{])
  | \(\s*\*\s* (?P<pointer> {NAME} )\s*\)
  | auto\s*[&\s]*\[ (?P<binding> [\w\s,]* ) \]
  """, re.VERBOSE)
IN_BRACKETS = re.compile(r"\([^()]*\)")
BETWEEN = re.compile(rf",[\s*&]*({NAME})(?=\s*,)")  # outside brackets: a declarator in the middle
BEFORE = re.compile(r"[(,=](?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/))*\*/)*$")
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+([A-Za-z_]\w*)\(", re.MULTILINE)
OF_A_TYPE = {"decltype", "sizeof", "typeof", "__typeof__", "noexcept", "defined"}


def macros_of(sources):
    """The macros with parameters that the sources, (path, text), define."""
    return {name for _, text in sources for name in MACRO.findall(text)}


def declared_in(text):
    """The names of such functions that a text declares as its own."""
    if not MENTIONED.search(text):
        return set()
    own = set()
    code = SKIPPED.sub(" ", text)
    for found in DECLARED.finditer(code):
        own.update(re.findall(r"\w+", " ".join(filter(None, found.groups()))))
    removed = 1
    while removed:
        code, removed = IN_BRACKETS.subn(" ", code)
    own.update(BETWEEN.findall(code))
    return own & TYPE_OF.keys()


def with_typed_functions(text, macros):
    """The text with the type before each such argument and initial value."""
    if not MENTIONED.search(text):
        return text
    own = declared_in(text)
    within = []  # what is called, from the outermost open bracket to the innermost

    def replace(token):
        if token["open"]:
            within.append(token["called"].strip())
        elif token["close"] and within:
            within.pop()
        elif token["name"] and token["name"] not in own and BEFORE.search(text, max(0, token.start() - 200), token.start()):
            if not any(word in macros or word in OF_A_TYPE for word in within):
                return f"(({TYPE_OF[token['name']]}){token['name']})"
        return token[0]

    return TOKEN.sub(replace, text)
# SPDX-License-Identifier: MIT
