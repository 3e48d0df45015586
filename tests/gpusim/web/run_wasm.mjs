// run_wasm.mjs PROGRAM.wasm FILE…: runs a program for WASI, which sees this machine's files; ends as it ends.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [program, ...files] = process.argv.slice(2);
if (!program) {
  console.error('run_wasm.mjs: expected: run_wasm.mjs PROGRAM.wasm FILE...');
  process.exit(2);
}
const { WASI } = await import('node:wasi').catch(() => ({}));
const flag = '--experimental-wasi-unstable-preview1';
if (!WASI && !process.execArgv.includes(flag)) {  // Node.js before 20 has it behind this
  process.exit(spawnSync(process.execPath, [flag, ...process.argv.slice(1)], { stdio: 'inherit' }).status ?? 1);
}
const wasi = new WASI({
  version: 'preview1', args: [program, ...files.map((file) => resolve(file))], preopens: { '/': '/' }, returnOnExit: true,
});
const { instance } = await WebAssembly.instantiate(readFileSync(program), { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
// SPDX-License-Identifier: MIT
