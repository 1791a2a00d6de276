/** Writes `generated/` from the Solidity sources: `node src/generate.ts`. The files are committed, and a test compares. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { compileContracts, type CompiledContract } from './compile.ts';

const GENERATED = new URL('./generated/', import.meta.url);
const HEADER = '// Written by generate.ts from the Solidity sources. Do not edit.\n';

/** File name to text. */
export function generatedFiles(): ReadonlyMap<string, string> {
  const contracts = compileContracts();
  return new Map([
    ['abi.ts', HEADER + contracts.map(renderAbi).join('')],
    ['bytecode.ts', HEADER + contracts.map(renderBytecode).join('')],
  ]);
}

function renderAbi({ name, abi }: CompiledContract): string {
  const items = abi.map((item) => `  ${JSON.stringify(item)},\n`).join('');
  return `\nexport const ${constantName(name)}Abi = [\n${items}] as const;\n`;
}

function renderBytecode({ name, bytecode }: CompiledContract): string {
  return `\nexport const ${constantName(name)}Bytecode = '${bytecode}';\n`;
}

/** `ExchangeVault` gives `exchangeVault`, `WSOSO` gives `wsoso`. */
function constantName(contract: string): string {
  return contract === contract.toUpperCase() ? contract.toLowerCase() : contract.charAt(0).toLowerCase() + contract.slice(1);
}

if (import.meta.main) {
  mkdirSync(GENERATED, { recursive: true });
  for (const [name, text] of generatedFiles()) writeFileSync(new URL(name, GENERATED), text);
}
