"""Host code in a program for NVRTC. NVRTC refuses functions and variables of the host even if nothing uses them. clang lets them
pass, so they are looked for in its syntax tree (-ast-dump=json).
"""
import json
import os
import re
import subprocess
import sys

FUNCTIONS = {"FunctionDecl", "CXXMethodDecl", "CXXConstructorDecl", "CXXDestructorDecl", "CXXConversionDecl"}
SCOPES = {"TranslationUnitDecl", "NamespaceDecl", "LinkageSpecDecl", "CXXRecordDecl", "ClassTemplateDecl", "FunctionTemplateDecl",
          "VarTemplateDecl", "ClassTemplatePartialSpecializationDecl", "FriendDecl"}
TEMPLATES = {"ClassTemplateDecl", "FunctionTemplateDecl", "VarTemplateDecl"}
TEMPLATED = FUNCTIONS | {"VarDecl", "CXXRecordDecl"}
OF_DEVICE = {"CUDAGlobalAttr", "CUDADeviceAttr", "CUDAConstantAttr", "CUDASharedAttr"}
CONSTANT = re.compile(r"const\b[^*&]*|.*\bconst(?:\[\w*\])*")
DEEPEST = 20000  # levels of a tree in JSON: a sum of a thousand terms has two thousand

FUNCTION = ("this function is not marked __device__, __global__ or __host__ __device__, so it belongs to the host, and NVRTC "
            "compiles no host code; mark it, or pass the option -default-device")
OF_HOST = "this function is marked __host__ alone, and NVRTC compiles no host code; mark it __host__ __device__"
VARIABLE = ("this variable is not marked __device__ or __constant__, so it belongs to the host, and NVRTC compiles no host code; "
            "mark it, or make it const")


def marks_of(node):
    """The attributes of a declaration that the source says, by their names: a constexpr function gets others."""
    return {child.get("kind", "") for child in node.get("inner", ()) if not child.get("implicit")}


def complaint_about(node, with_functions):
    """Why NVRTC refuses a declaration; None if it does not."""
    if node.get("isImplicit"):
        return None
    if node["kind"] in FUNCTIONS:
        if not with_functions or node.get("explicitlyDefaulted") or node.get("explicitlyDeleted") or marks_of(node) & OF_DEVICE:
            return None
        return OF_HOST if "CUDAHostAttr" in marks_of(node) else FUNCTION
    if node["kind"] == "VarDecl" and not node.get("constexpr") and not marks_of(node) & OF_DEVICE:
        return None if CONSTANT.fullmatch(node.get("type", {}).get("qualType", "")) else VARIABLE
    return None


class Walk:
    """Goes through the tree in the order of its text, because a place names its file only where that is another than before."""

    def __init__(self):
        self.file = None

    def place(self, location):
        """(file, offset); for a macro, the place where it is used."""
        if "file" in location:
            self.file = location["file"]
        for part in ("spellingLoc", "expansionLoc"):
            if part in location:
                self.place(location[part])
        return self.file, location.get("expansionLoc", location).get("offset")

    def outside_functions(self, tree):
        """(declaration, file, offset) of all that stand in no function."""
        stack = [(tree, True)]
        while stack:
            node, is_outside = stack.pop()
            at = self.place(node.get("loc", {}))
            for end in ("begin", "end"):
                self.place(node.get("range", {}).get(end, {}))
            kind = node.get("kind")
            if is_outside and at[1] is not None:
                yield (node, *at)
            children = [(child, is_outside and kind in SCOPES) for child in node.get("inner", ())]
            if kind in TEMPLATES:  # after the template itself come those that were made of it
                kinds = [child.get("kind") for child, _ in children]
                first = next((i for i, kind in enumerate(kinds) if kind in TEMPLATED), len(kinds))
                children = [(child, outside and i <= first) for i, (child, outside) in enumerate(children)]
            stack += reversed(children)


def host_code(command, own_files, with_functions):
    """(file, offset, why) of what NVRTC refuses in the program's own files; `command` is clang's for its device pass."""
    done = subprocess.run([*command, "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=False)
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(DEEPEST)
        tree = json.loads(done.stdout.decode(errors="replace"))
    except (ValueError, RecursionError):  # of a deeper tree nothing is known
        return []
    finally:
        sys.setrecursionlimit(limit)
    found = {}
    for node, file, offset in Walk().outside_functions(tree):
        if file and os.path.abspath(file) in own_files and (why := complaint_about(node, with_functions)):
            found[os.path.abspath(file), offset] = why
    return [(file, offset, why) for (file, offset), why in found.items()]
# SPDX-License-Identifier: MIT
