import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalAccount } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chainKeys, type ChainKeys } from './chain-keys.ts';
import { startLocalChain, type LocalChain } from './local-chain.ts';
import { rpcGate } from './rpc-gate.ts';
import { PER_SENDER_AND_MINUTE } from './sender-rates.ts';
import { readTransaction } from './signed-transaction.ts';
import { PENDING_PER_SENDER } from './transaction-pool.ts';

const directory = mkdtempSync(join(tmpdir(), 'orrery-rpc-'));
let keys: ChainKeys;
let chain: LocalChain;
let handle: ReturnType<typeof rpcGate>;

beforeAll(async () => {
  keys = chainKeys(directory);
  chain = await startLocalChain({
    directory,
    chainId: 138565,
    allocations: [
      { address: keys.operator.address, balance: 10n ** 18n },
      { address: keys.taker.address, balance: 10n ** 18n },
    ],
    minBlockIntervalMs: 0,
    onFailure: (error) => {
      throw error;
    },
  });
  handle = rpcGate(chain, { read: readTransaction });
});

afterAll(async () => {
  await chain.stop();
  rmSync(directory, { recursive: true });
});

const call = (method: string, params: readonly unknown[] = []) => handle({ jsonrpc: '2.0', id: 7, method, params });

test('reads are answered under the id of the call', async () => {
  expect(await call('eth_chainId')).toEqual({ jsonrpc: '2.0', id: 7, result: '0x21d45' });
  expect(await call('eth_getBalance', [keys.operator.address, 'latest'])).toMatchObject({ result: '0xde0b6b3a7640000' });
});

test('nothing that touches the node, its keys or its clock is available', async () => {
  const forbidden = [
    'anvil_setBalance',
    'anvil_impersonateAccount',
    'anvil_dumpState',
    'anvil_loadState',
    'anvil_reorg',
    'anvil_mine',
    'hardhat_setBalance',
    'evm_mine',
    'evm_setNextBlockTimestamp',
    'evm_snapshot',
    'evm_revert',
    'eth_sendTransaction',
    'eth_sign',
    'eth_signTransaction',
    'eth_signTypedData_v4',
    'eth_accounts',
    'eth_sendUnsignedTransaction',
    'personal_sign',
    'debug_traceTransaction',
    'txpool_content',
    'eth_newFilter',
    'eth_subscribe',
    'ots_getBlockDetails',
    'trace_block',
    'ETH_CHAINID',
    '__proto__',
    'constructor',
  ];
  for (const method of forbidden) {
    expect(await call(method, [keys.operator.address, '0x1']), method).toMatchObject({ id: 7, error: { code: -32601 } });
  }
});

test('what is not a call is refused by name', async () => {
  for (const body of [
    null,
    1,
    'x',
    {},
    { jsonrpc: '1.0', method: 'eth_chainId' },
    { jsonrpc: '2.0', method: 7 },
    { jsonrpc: '2.0', method: 'eth_chainId', params: {} },
  ]) {
    expect(await handle(body)).toMatchObject({ error: { code: -32600 } });
  }
});

test('a batch is answered in its order and has a bound', async () => {
  const batch = (length: number) => Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'eth_chainId' }));
  const answers = await handle(batch(20));
  expect(Array.isArray(answers) && answers.map((answer) => answer.id)).toEqual(Array.from({ length: 20 }, (_, id) => id));
  expect(await handle(batch(21))).toMatchObject({ error: { code: -32600 } });
  expect(await handle([])).toMatchObject({ error: { code: -32600 } });
});

test('a raw transaction must be of this chain, decodable and of a sane size', async () => {
  const transaction = {
    type: 'eip1559',
    nonce: 0,
    gas: 21_000n,
    to: keys.pauser.address,
    value: 1n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  } as const;
  const elsewhere = await keys.operator.signTransaction({ ...transaction, chainId: 1 });
  const anywhere = await keys.operator.signTransaction({
    type: 'legacy',
    nonce: 0,
    gas: 21_000n,
    gasPrice: 10n ** 10n,
    to: keys.pauser.address,
  });
  for (const raw of [elsewhere, anywhere, '0x', '0x1234', 'x', 5, undefined, `0x02${'00'.repeat(200_000)}`]) {
    expect(await call('eth_sendRawTransaction', [raw])).toMatchObject({ error: { code: -32602 } });
  }
  const here = await keys.operator.signTransaction({ ...transaction, chainId: 138565 });
  expect(await call('eth_sendRawTransaction', [here])).toMatchObject({ result: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
});

test('calls and log searches are bounded', async () => {
  expect(await call('eth_call', [{ to: keys.pauser.address, gas: '0x1c9c381' }, 'latest'])).toMatchObject({ error: { code: -32602 } });
  expect(await call('eth_estimateGas', [{ to: keys.pauser.address, gas: {} }])).toMatchObject({ error: { code: -32602 } });
  expect(await call('eth_call', [{ to: keys.pauser.address, gas: '0x1c9c380' }, 'latest'])).toMatchObject({ result: '0x' });
  expect(await call('eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'latest' }])).toMatchObject({ result: [] });
  const far = rpcGate(
    {
      chainId: 138565,
      send: (transaction) => chain.send(transaction),
      read: () => Promise.resolve('0x2712'),
    },
    { read: readTransaction },
  );
  expect(await far({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [{ fromBlock: '0x1' }] })).toMatchObject({
    error: { code: -32005 },
  });
});

test("the node's own refusals reach the caller with their reason", async () => {
  const poor = await keys.pauser.signTransaction({
    chainId: 138565,
    type: 'eip1559',
    nonce: 0,
    gas: 21_000n,
    to: keys.pauser.address,
    value: 1n,
    maxFeePerGas: 10n ** 10n,
    maxPriorityFeePerGas: 1n,
  });
  expect(await call('eth_sendRawTransaction', [poor])).toMatchObject({
    error: { message: expect.stringMatching(/[Ii]nsufficient funds/) },
  });
});

test('a remote node is quoted through its client, and one that is down is not', async () => {
  const reverted = Object.assign(new Error('reverted'), { code: 3, details: 'execution reverted', data: '0x08' });
  const gate = (error: Error) =>
    rpcGate({ chainId: 1, send: () => Promise.reject(error), read: () => Promise.reject(error) }, { read: readTransaction });
  const asked = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{}] };
  expect(await gate(new Error('outer', { cause: reverted }))(asked)).toMatchObject({
    error: { code: 3, message: 'execution reverted', data: '0x08' },
  });
  expect(await gate(new Error('secret address of the node'))(asked)).toMatchObject({
    error: { code: -32603, message: 'the chain does not answer' },
  });
});

describe('a transaction is judged before anything is written', () => {
  const signed = (account: LocalAccount, more: object) =>
    account.signTransaction({
      chainId: 138565,
      type: 'eip1559',
      gas: 21_000n,
      to: keys.pauser.address,
      value: 1n,
      maxFeePerGas: 10n ** 10n,
      maxPriorityFeePerGas: 1n,
      ...more,
    });

  const refusal = async (raw: string): Promise<string> => {
    const answer = await call('eth_sendRawTransaction', [raw]);
    return 'error' in answer ? (answer.error?.message ?? '') : 'taken';
  };

  /** Sent and mined. */
  const fund = async (address: `0x${string}`, value: bigint): Promise<void> => {
    const nonce = Number(await chain.read('eth_getTransactionCount', [keys.taker.address, 'latest']));
    await chain.send(
      await readTransaction(
        await keys.taker.signTransaction({
          chainId: 138565,
          type: 'eip1559',
          nonce,
          gas: 21_000n,
          to: address,
          value,
          maxFeePerGas: 10n ** 10n,
          maxPriorityFeePerGas: 1n,
        }),
        138565,
      ),
    );
    await expect.poll(() => chain.read('eth_getBalance', [address, 'latest'])).not.toBe('0x0');
  };

  test('by its gas, type, fees and place', async () => {
    const alice = privateKeyToAccount(generatePrivateKey());
    await fund(alice.address, 10n ** 16n);
    expect(await refusal(await signed(alice, { nonce: 0, data: `0x${'11'.repeat(100)}` }))).toMatch(/intrinsic gas too low/);
    expect(await refusal(await signed(alice, { nonce: 0, gas: 30_000_001n }))).toMatch(/gas limit above/);
    expect(await refusal(await signed(alice, { nonce: 0, to: undefined, gas: 9_000_000n, data: `0x${'00'.repeat(49_153)}` }))).toMatch(
      /initcode/,
    );
    expect(await refusal(await signed(alice, { nonce: 1 }))).toBe('nonce too high: the next one is 0');
    expect(await refusal(await signed(alice, { nonce: 0, maxFeePerGas: 1n }))).toMatch(/less than block base fee/);
    expect(await refusal(await signed(alice, { nonce: 0, value: 10n ** 16n }))).toMatch(/^Insufficient funds/);
    expect(await refusal(await signed(alice, { nonce: 0 }))).toBe('taken');
    await expect.poll(() => chain.read('eth_getTransactionCount', [alice.address, 'latest'])).toBe('0x1');
    expect(await refusal(await signed(alice, { nonce: 0, value: 2n }))).toBe('nonce too low: the next one is 1');
    expect(await refusal(await signed(alice, { nonce: 0 })), 'the mined one is acknowledged again').toBe('taken');
  });

  test('by what all that waits of its sender costs, and by how much waits', async () => {
    const slow = await startLocalChain({
      directory: mkdtempSync(join(directory, 'slow-')),
      chainId: 138565,
      allocations: [{ address: keys.operator.address, balance: 10n ** 18n }],
      onFailure: (error) => {
        throw error;
      },
      minBlockIntervalMs: 3_600_000,
    });
    const gate = rpcGate(slow, { read: readTransaction });
    const send = async (more: object): Promise<string> => {
      const answer = await gate({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [await signed(keys.operator, more)] });
      return 'error' in answer ? (answer.error?.message ?? '') : 'taken';
    };
    try {
      expect(await send({ nonce: 0, value: 6n * 10n ** 17n })).toBe('taken');
      expect(await send({ nonce: 1, value: 6n * 10n ** 17n })).toMatch(/^Insufficient funds .* of all that waits/);
      expect(await send({ nonce: 0, value: 6n * 10n ** 17n }), 'the same again').toBe('taken');
      expect(await send({ nonce: 0, maxFeePerGas: 10n ** 11n })).toMatch(/can not be replaced/);
      for (let nonce = 1; nonce < PENDING_PER_SENDER; nonce += 1) expect(await send({ nonce })).toBe('taken');
      expect(await send({ nonce: PENDING_PER_SENDER })).toMatch(/16 transactions of this sender wait/);
    } finally {
      await slow.stop();
    }
  });

  test('a sender has a number of transactions in a minute, and refused ones do not count', async () => {
    let now = 0;
    let isTaken = false;
    const gate = rpcGate(
      {
        chainId: 138565,
        read: () => Promise.reject(new Error('nothing is read')),
        send: ({ hash }) => (isTaken ? Promise.resolve(hash) : Promise.reject(new Error('refused'))),
      },
      { read: readTransaction, now: () => now },
    );
    const raw = await signed(keys.operator, { nonce: 0 });
    const send = () => gate({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] });
    await send();
    isTaken = true;
    for (let count = 0; count < PER_SENDER_AND_MINUTE; count += 1) expect(await send()).toMatchObject({ result: expect.any(String) });
    expect(await send()).toMatchObject({ error: { code: -32005 } });
    now += 60_000;
    expect(await send()).toMatchObject({ result: expect.any(String) });
  });
});
