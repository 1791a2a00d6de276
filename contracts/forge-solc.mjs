#!/usr/bin/env node
// The npm compiler under the two flags that forge asks of a compiler: so forge needs no network.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const compiler = createRequire(import.meta.url)('solc');

/** Forge does not follow imports out of its root, where npm has put the library. */
function readImport(path) {
  if (!path.startsWith('../node_modules/@openzeppelin/contracts/')) return { error: `unexpected import ${path}` };
  return { contents: readFileSync(new URL(path, import.meta.url), 'utf8') };
}

if (process.argv.includes('--version')) {
  process.stdout.write(`solc, the solidity compiler commandline interface\nVersion: ${compiler.version()}\n`);
} else {
  process.stdout.write(compiler.compile(readFileSync(0, 'utf8'), { import: readImport }));
}
