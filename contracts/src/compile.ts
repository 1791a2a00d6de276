/** Compiles `solidity/` with the npm compiler: the same input gives the same bytecode on every machine. */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Abi, Hex } from 'viem';

export interface CompiledContract {
  readonly name: string;
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** The contracts we deploy; everything else in `solidity/` is imported by them. */
const DEPLOYED = ['ExchangeVault', 'Faucet', 'TestToken', 'WSOSO'] as const;

const LIBRARY = '@openzeppelin/contracts/';
const SOURCES = new URL('../solidity/', import.meta.url);
const require = createRequire(import.meta.url);

interface Compiler {
  compile(input: string, callbacks: { import(path: string): { contents: string } | { error: string } }): string;
}

interface CompilerOutput {
  readonly errors?: readonly Complaint[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, ContractOutput>>>>;
}

interface Complaint {
  readonly severity: 'error' | 'warning' | 'info';
  readonly formattedMessage: string;
  readonly sourceLocation?: { readonly file: string };
}

interface ContractOutput {
  readonly abi: Abi;
  readonly evm: { readonly bytecode: { readonly object: string } };
}

/** Throws with the compiler's own words on any error, and on a warning about our own sources. */
export function compileContracts(): readonly CompiledContract[] {
  const output = compile();
  const complaints = (output.errors ?? []).filter((complaint) => complaint.severity === 'error' || !isLibrary(complaint));
  if (complaints.length > 0) throw new Error(complaints.map((complaint) => complaint.formattedMessage).join('\n'));
  return DEPLOYED.map((name) => {
    const contract = output.contracts[`${name}.sol`]?.[name];
    if (contract === undefined) throw new Error(`the compiler gave no ${name}`);
    return { name, abi: contract.abi, bytecode: `0x${contract.evm.bytecode.object}` };
  });
}

function isLibrary(complaint: Complaint): boolean {
  return complaint.sourceLocation?.file.startsWith(LIBRARY) ?? false;
}

function compile(): CompilerOutput {
  // The compiler is 9 MB of WebAssembly: it is loaded only where something is really compiled.
  const compiler = require('solc') as Compiler;
  return JSON.parse(compiler.compile(JSON.stringify(standardInput()), { import: readImport })) as CompilerOutput;
}

function standardInput(): object {
  const names = readdirSync(SOURCES)
    .filter((name) => name.endsWith('.sol'))
    .sort();
  return {
    language: 'Solidity',
    sources: Object.fromEntries(names.map((name) => [name, { content: readFileSync(new URL(name, SOURCES), 'utf8') }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      // No hash of the sources in the code: a comment changes nothing on the chain.
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  };
}

function readImport(path: string): { contents: string } | { error: string } {
  if (!path.startsWith(LIBRARY)) return { error: `unexpected import ${path}` };
  const manifest = pathToFileURL(require.resolve(`${LIBRARY}package.json`));
  return { contents: readFileSync(new URL(path.slice(LIBRARY.length), manifest), 'utf8') };
}
