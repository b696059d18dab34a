// SPDX-License-Identifier: Apache-2.0
// Runs a WASI program under node and lets it print: node --no-warnings wasi.mjs PROGRAM.wasm
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: [process.argv[2]], env: {} });
const module = await WebAssembly.compile(await readFile(process.argv[2]));
// Not wasi.getImportObject(): Debian 12's node 18 has no such function.
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
