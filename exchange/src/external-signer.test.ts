import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { withdrawalTypedData } from '@orrery/contracts';
import { type Hex, parseTransaction, recoverTransactionAddress, recoverTypedDataAddress, type TransactionSerialized } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { externalSigner } from './external-signer.ts';

const account = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());
const TRANSACTION = {
  type: 'eip1559',
  chainId: 138565,
  nonce: 7,
  to: stranger.address,
  data: '0x1234',
  gas: 400_000n,
  maxFeePerGas: 2_000_000_000n,
  maxPriorityFeePerGas: 1n,
} as const;
const WITHDRAWAL = withdrawalTypedData({
  chainId: 138565,
  vault: stranger.address,
  withdrawal: { id: `0x${'1'.repeat(64)}`, token: account.address, to: stranger.address, amount: 10n ** 24n, deadline: 1_900_000_000n },
});

let server: Server;
let url = '';
/** What the signer does otherwise than it should. */
let fault: 'none' | 'other key' | 'other transaction' | 'refuses' = 'none';

beforeEach(async () => {
  fault = 'none';
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; method: string; params: unknown[] };
      void answer(method, params).then(
        (result) => response.end(JSON.stringify({ jsonrpc: '2.0', id, result })),
        (error: Error) => response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: error.message } })),
      );
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

/** As web3signer answers: numbers come in hex, typed data as JSON text. */
async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
  const signer = fault === 'other key' ? stranger : account;
  if (method === 'eth_accounts') return [account.address.toLowerCase()];
  if (fault === 'refuses') throw new Error('the key is locked');
  if (method === 'eth_signTransaction') {
    const fields = params[0] as Readonly<Record<string, Hex>>;
    expect(fields['from']).toBe(account.address);
    return signer.signTransaction({
      type: 'eip1559',
      chainId: Number(fields['chainId']),
      nonce: Number(fields['nonce']),
      to: fields['to'] as Hex,
      data: fields['data'] as Hex,
      value: BigInt(fields['value'] as Hex) + (fault === 'other transaction' ? 1n : 0n),
      gas: BigInt(fields['gas'] as Hex),
      maxFeePerGas: BigInt(fields['maxFeePerGas'] as Hex),
      maxPriorityFeePerGas: BigInt(fields['maxPriorityFeePerGas'] as Hex),
    });
  }
  if (method !== 'eth_signTypedData') throw new Error(`no method ${method}`);
  const { domain, types, primaryType, message } = JSON.parse(String(params[1])) as typeof WITHDRAWAL & { types: Record<string, unknown> };
  expect(params[0]).toBe(account.address);
  expect(Object.keys(types)).toContain('EIP712Domain');
  return signer.signTypedData({ domain, types, primaryType, message });
}

test('a transaction and a withdrawal are signed by a key that is not in this process', async () => {
  const signer = await externalSigner({ url, address: account.address });
  const raw = await signer.signTransaction(TRANSACTION);
  expect(await recoverTransactionAddress({ serializedTransaction: raw as TransactionSerialized })).toBe(account.address);
  expect(parseTransaction(raw)).toMatchObject({ nonce: 7, to: stranger.address.toLowerCase(), data: '0x1234', gas: 400_000n });
  const signature = await signer.signTypedData(WITHDRAWAL);
  expect(await recoverTypedDataAddress({ ...WITHDRAWAL, signature })).toBe(account.address);
});

test.each([
  ['other key', 'the signer signed as'],
  ['other transaction', 'the signer signed another transaction than the one requested'],
  ['refuses', 'the signer refused eth_signTransaction: the key is locked'],
] as const)('a signer with the fault "%s" is not believed', async (wrong, reason) => {
  const signer = await externalSigner({ url, address: account.address });
  fault = wrong;
  await expect(signer.signTransaction(TRANSACTION)).rejects.toThrow(reason);
  if (wrong === 'other key') await expect(signer.signTypedData(WITHDRAWAL)).rejects.toThrow(reason);
});

test('a signer that holds another account, or none, ends the start with one sentence', async () => {
  await expect(externalSigner({ url, address: stranger.address })).rejects.toThrow(/^The signer at ORRERY_SIGNER_URL holds no key of 0x/);
  await expect(externalSigner({ url: 'http://127.0.0.1:1', address: account.address })).rejects.toThrow(
    'The signer at ORRERY_SIGNER_URL does not answer.',
  );
});
