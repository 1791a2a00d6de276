/** Our own contracts on the chain: their functions and events by name. */
import { type Deployment, exchangeVaultAbi, faucetAbi, testTokenAbi, wsosoAbi } from '@orrery/contracts';
import { type Abi, decodeEventLog, decodeFunctionData, type Log, toFunctionSelector, type Transaction } from 'viem';
import { lowerCase } from './chain-block.ts';

interface KnownContract {
  readonly name: string;
  readonly abi: Abi;
  /** Names of its functions by their first four bytes. */
  readonly functions: ReadonlyMap<string, string>;
}

function knownContract(name: string, abi: Abi): KnownContract {
  const functions = abi.filter((item) => item.type === 'function').map((item): [string, string] => [toFunctionSelector(item), item.name]);
  return { name, abi, functions: new Map(functions) };
}

/** What a transaction calls, as far as it is kept. */
export interface Call {
  readonly to: string | null;
  readonly selector: string | null;
}

export interface DecodedLog {
  readonly name: string | null;
  readonly contract: string | null;
  readonly arguments: { name: string; type: string; value: string }[];
}

export class KnownContracts {
  readonly #contracts: ReadonlyMap<string, KnownContract>;

  constructor({ vault, faucet, tokens, wrappedNative }: Deployment) {
    this.#contracts = new Map<string, KnownContract>([
      [lowerCase(vault), knownContract('ExchangeVault', exchangeVaultAbi)],
      [lowerCase(faucet), knownContract('Faucet', faucetAbi)],
      ...tokens.map(({ code, address }): [string, KnownContract] => [
        lowerCase(address),
        knownContract(code, lowerCase(address) === lowerCase(wrappedNative) ? wsosoAbi : testTokenAbi),
      ]),
    ]);
  }

  /** The name of the function that a transaction calls; null when the contract, or the function, is not ours. */
  method({ to, input }: Pick<Transaction, 'to' | 'input'>): string | null {
    const contract = to === null ? undefined : this.#contracts.get(lowerCase(to));
    if (contract === undefined || input === '0x') return null;
    try {
      return decodeFunctionData({ abi: contract.abi, data: input }).functionName;
    } catch {
      return null;
    }
  }

  /** The same by the first four bytes alone. */
  methodOf({ to, selector }: Call): string | null {
    const contract = to === null ? undefined : this.#contracts.get(lowerCase(to));
    return (selector !== null && contract?.functions.get(selector)) || null;
  }

  decodeLog(log: Pick<Log, 'address' | 'topics' | 'data'>): DecodedLog {
    const contract = this.#contracts.get(lowerCase(log.address));
    if (contract === undefined) return { name: null, contract: null, arguments: [] };
    try {
      const { eventName, args } = decodeEventLog({ abi: contract.abi, topics: log.topics, data: log.data });
      return { name: eventName ?? null, contract: contract.name, arguments: argumentsOf(contract.abi, eventName, args) };
    } catch {
      return { name: null, contract: contract.name, arguments: [] };
    }
  }
}

function argumentsOf(abi: Abi, eventName: string | undefined, args: unknown): DecodedLog['arguments'] {
  const event = abi.find((item) => item.type === 'event' && item.name === eventName);
  const values = Object.values(args ?? {}) as readonly unknown[];
  if (event?.type !== 'event') return [];
  return event.inputs.map(({ name = '', type }, index) => {
    const value = Array.isArray(args) ? values[index] : (args as Readonly<Record<string, unknown>>)[name];
    return { name, type, value: textOf(value) };
  });
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)).replaceAll('"', '');
}
