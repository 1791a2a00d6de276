import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, expect, test } from 'vitest';
import { readTransaction } from './signed-transaction.ts';
import { TransactionReader } from './transaction-reader.ts';

const CHAIN = 138_565;
const pauper = privateKeyToAccount(`0x${'7'.repeat(64)}`);
const data = `0x${'ab'.repeat(40_000)}` as const;
const signedFor = (chainId: number) =>
  pauper.signTransaction({ chainId, to: pauper.address, gas: 5_000_000n, gasPrice: 10_000_000_000n, nonce: 0, data });

const reader = new TransactionReader();
afterAll(() => reader.close());

test('a raw transaction is read in its thread as it is read here', async () => {
  const raw = await signedFor(CHAIN);
  expect(await reader.read(raw, CHAIN)).toEqual(await readTransaction(raw, CHAIN));
  for (const refused of [await signedFor(1), `${raw.slice(0, -2)}00`, '0x', '0x1234', 5, undefined, { raw }, `0x${'00'.repeat(200_000)}`]) {
    const here: unknown = await readTransaction(refused, CHAIN).catch((error: unknown) => error);
    const there: unknown = await reader.read(refused, CHAIN).catch((error: unknown) => error);
    expect(there).toEqual(here);
  }
});

test('worthless transactions hold up nobody: the thread that trades goes on while they are read', async () => {
  const raw = await signedFor(CHAIN);
  let isRead = false;
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    if (!isRead) setImmediate(turn);
  };
  setImmediate(turn);
  await Promise.all(Array.from({ length: 8 }, () => reader.read(raw, CHAIN)));
  isRead = true;
  expect(turns).toBeGreaterThan(8);
});

test('more than wait at most are refused, and the next is read again', async () => {
  const many = await Promise.allSettled(Array.from({ length: 300 }, () => reader.read('0x', CHAIN)));
  const messages = many.map((one) => (one.status === 'rejected' ? String(one.reason) : 'read'));
  expect(messages.filter((message) => message.includes('too many transactions wait'))).toHaveLength(300 - 256);
  expect(await reader.read(await signedFor(CHAIN), CHAIN)).toMatchObject({ nonce: 0 });
});
