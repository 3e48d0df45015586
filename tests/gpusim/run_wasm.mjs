// run_wasm.mjs PROGRAM.wasm FILE…: runs a program for WASI, which sees this machine's files; ends as it ends.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { WASI } from 'node:wasi';

const [program, ...files] = process.argv.slice(2);
if (!program) {
  console.error('run_wasm.mjs: expected: run_wasm.mjs PROGRAM.wasm FILE...');
  process.exit(2);
}
const wasi = new WASI({ version: 'preview1', args: [program, ...files.map((file) => resolve(file))], preopens: { '/': '/' }, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(readFileSync(program), wasi.getImportObject());
process.exitCode = wasi.start(instance);
