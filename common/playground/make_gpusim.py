#!/usr/bin/env python3
"""Usage: make_gpusim.py GPUSIM.wasm BOXES.json OUTPUT_GPUSIM.js OUTPUT_BOXES.js

The simulated GPU and the table of boxes as scripts: a page that is opened from a file may load scripts, and nothing else.
"""
import base64
import json
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
import command_line

wasm, boxes, gpusim_js, boxes_js = map(pathlib.Path, command_line.arguments("GPUSIM.WASM BOXES.JSON NEW_GPUSIM.JS NEW_BOXES.JS"))
code = base64.b64encode(wasm.read_bytes()).decode("ascii")
gpusim_js.write_text(f'playground.gpusim = "{code}";\n', encoding="utf-8")
table = json.dumps(json.loads(boxes.read_text(encoding="utf-8")), separators=(",", ":"))
boxes_js.write_text(f"playground.table = {table};\n", encoding="utf-8")
# SPDX-License-Identifier: MIT
