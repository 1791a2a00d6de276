/**
 * An account whose key an external signer holds, by the JSON-RPC of web3signer: `eth_accounts`, `eth_signTransaction` and
 * `eth_signTypedData`. What it returns is used only when it is a signature of that account over exactly what was requested.
 */
import {
  type Address,
  getTypesForEIP712Domain,
  type Hex,
  type LocalAccount,
  numberToHex,
  parseTransaction,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  serializeTransaction,
  serializeTypedData,
  type TransactionSerializable,
  type TransactionSerialized,
} from 'viem';
import { toAccount } from 'viem/accounts';
import { StartError } from './start-error.ts';

const PATIENCE_MS = 10_000;

export interface ExternalSigner {
  readonly url: string;
  readonly address: Address;
}

/** @throws StartError when the signer does not answer, or does not hold the account. */
export async function externalSigner(signer: ExternalSigner): Promise<LocalAccount> {
  const held = await call(signer.url, 'eth_accounts', []).catch((cause: unknown) => {
    throw new StartError('The signer at ORRERY_SIGNER_URL does not answer.', { cause });
  });
  if (!Array.isArray(held) || !held.some((address) => isSame(String(address), signer.address))) {
    throw new StartError(`The signer at ORRERY_SIGNER_URL holds no key of ${signer.address}.`);
  }
  return toAccount({
    address: signer.address,
    signMessage: () => Promise.reject(new Error('the exchange signs no plain messages')),
    signTransaction: (transaction) => signTransaction(signer, transaction),
    signTypedData: async (typed) => {
      const definition = { ...typed, types: { EIP712Domain: getTypesForEIP712Domain({ domain: typed.domain as never }), ...typed.types } };
      const signature = hexOf(await call(signer.url, 'eth_signTypedData', [signer.address, serializeTypedData(definition as never)]));
      const by = await recoverTypedDataAddress({ ...(typed as never as Parameters<typeof recoverTypedDataAddress>[0]), signature });
      if (!isSame(by, signer.address)) throw new Error(`the signer signed as ${by} in place of ${signer.address}`);
      return signature;
    },
  });
}

async function signTransaction({ url, address }: ExternalSigner, transaction: TransactionSerializable): Promise<Hex> {
  const { to, data, value, gas, nonce, chainId, maxFeePerGas, maxPriorityFeePerGas } = transaction;
  const numbers = { value: value ?? 0n, gas, nonce, chainId, maxFeePerGas, maxPriorityFeePerGas };
  const fields = Object.entries(numbers).flatMap(([name, number]) => (number === undefined ? [] : [[name, numberToHex(number)]]));
  const request = { from: address, ...(to ? { to } : {}), data: data ?? '0x', ...Object.fromEntries(fields) };
  const raw = hexOf(await call(url, 'eth_signTransaction', [request]));
  const { r: _r, s: _s, v: _v, yParity: _parity, ...unsigned } = parseTransaction(raw);
  if (serializeTransaction(unsigned as TransactionSerializable) !== serializeTransaction(transaction)) {
    throw new Error('the signer signed another transaction than the one requested');
  }
  const by = await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized });
  if (!isSame(by, address)) throw new Error(`the signer signed as ${by} in place of ${address}`);
  return raw;
}

async function call(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(PATIENCE_MS),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message?: string } };
  if (error !== undefined && error !== null) throw new Error(`the signer refused ${method}: ${error.message ?? 'no reason given'}`);
  return result;
}

function hexOf(result: unknown): Hex {
  if (typeof result === 'string' && /^0x[0-9a-fA-F]+$/.test(result)) return result as Hex;
  throw new Error('the signer did not return a signature');
}

const isSame = (left: string, right: string): boolean => left.toLowerCase() === right.toLowerCase();
