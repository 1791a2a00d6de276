import type { Principal } from '@orrery/api';
import { exchangeVaultAbi, testTokenAbi } from '@orrery/contracts';
import { millis } from '@orrery/units';
import { encodeFunctionData, type PublicClient } from 'viem';
import { expect, test } from 'vitest';
import type { Indexer } from './indexer.ts';
import { inAWorld, world } from './testing/in-a-world.ts';
import { alice, bob, deployer, type Person, SOSO, USDC, eventually, usdcOf } from './testing/world.ts';

inAWorld();

function principal(who: Person): Principal {
  const account = world.accountOf(who);
  if (account === undefined) throw new Error('no account');
  return { account, address: who.address, via: 'session', credential: 'test', permission: 'READ', tier: 'standard', endsAt: millis(0) };
}

const depositsOf = async (indexer: Indexer, who: Person) =>
  indexer.handlers.deposit.deposits({ principal: principal(who), query: {}, body: undefined, caller: undefined as never });

const credited = () => eventually(() => world.events('DepositCredited').length);

test('[C6] D1: a token deposit and a native deposit are credited once, with the amount that arrived', async () => {
  world.startIndexer();
  const hash = await world.deposit(alice, 25_000_000n);
  await world.depositNative(alice, 7n * 10n ** 18n);
  await credited().toBe(2);
  expect(world.funding(alice, USDC)).toEqual({ free: 25_000_000n, held: 0n });
  expect(world.funding(alice, SOSO)).toEqual({ free: 7n * 10n ** 18n, held: 0n });
  const receipt = await world.client.getTransactionReceipt({ hash });
  const logIndex = receipt.logs.findIndex((log) => log.address === world.deployment.vault.toLowerCase() && log.topics.length === 4);
  expect(world.events('DepositCredited')[0]?.key).toBe(`138565:${hash}:${logIndex}`);
});

test('[C6] a deposit is for its recipient, and getUserId returns its new id', async () => {
  world.startIndexer();
  await world.deposit(alice, 5_000_000n);
  await credited().toBe(1);
  const vault = { address: world.deployment.vault, abi: exchangeVaultAbi } as const;
  expect(await world.client.readContract({ ...vault, functionName: 'getUserId', args: [alice.account.address] })).toBe(1n);
  expect(await world.client.readContract({ ...vault, functionName: 'getUserId', args: [bob.account.address] })).toBe(0n);
  const usdc = world.token('USDC');
  await world.send(deployer, {
    to: usdc,
    data: encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [alice.account.address, 9n] }),
  });
  await world.send(alice, {
    to: usdc,
    data: encodeFunctionData({ abi: testTokenAbi, functionName: 'approve', args: [world.deployment.vault, 9n] }),
  });
  await world.send(alice, {
    to: world.deployment.vault,
    data: encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'depositERC20', args: [usdc, 9n, bob.account.address] }),
  });
  await credited().toBe(2);
  expect(world.funding(bob, USDC).free).toBe(9n);
});

test('D2: first sight is shown as pending with its confirmations, and not one block too early is it money', async () => {
  const indexer = world.startIndexer({ confirmations: 4 });
  await world.heart.submit({ type: 'OpenAccount', address: alice.address });
  const hash = await world.deposit(alice, 25_000_000n);
  await eventually(() => depositsOf(indexer, alice)).toEqual({
    total: 1,
    next: null,
    list: [
      expect.objectContaining({ txHash: hash, coin: 'USDC', amount: '25', state: 'PENDING', confirmations: 1, requiredConfirmations: 5 }),
    ],
  });
  await world.mine(3);
  await eventually(async () => (await depositsOf(indexer, alice)).list[0]?.confirmations).toBe(4);
  expect(world.events('DepositCredited')).toEqual([]);
  await world.mine();
  await credited().toBe(1);
  await eventually(async () => (await depositsOf(indexer, alice)).list[0]?.state).toBe('CREDITED');
  expect(
    (
      await indexer.handlers.deposit.deposits({
        principal: principal(alice),
        query: { coin: 'BTC' },
        body: undefined,
        caller: undefined as never,
      })
    ).total,
  ).toBe(0);
});

test('[A8] the address for deposits of a coin is the vault, with the token that is deposited there and no memo', () => {
  const { handlers } = world.startIndexer();
  const addressOf = (coin: string) =>
    handlers.deposit.depositAddress({ principal: undefined as never, query: { coin }, body: undefined, caller: undefined as never });
  const { vault, tokens, chainId } = world.deployment;
  const token = tokens.find(({ code }) => code === 'USDC')?.address.toLowerCase();
  expect(addressOf('USDC')).toMatchObject({ account: vault.toLowerCase(), coinType: 'TOKEN', token, chainId, memo: null });
  expect(addressOf('WSOSO')).toMatchObject({ account: vault.toLowerCase(), coinType: 'NATIVE', token: null });
  expect(() => addressOf('POINTS')).toThrow(expect.objectContaining({ data: { reason: 'UnknownAsset', field: 'coin' } }));
});

test('D1: an event of another contract, a failed transaction and a token of no asset credit nothing', async () => {
  world.startIndexer();
  const { vault } = world.deployment;
  // A copy of the vault with a listed token of its own: the same events, from elsewhere.
  const code = await world.client.getCode({ address: vault });
  const elsewhere = '0x00000000000000000000000000000000000e1525';
  await world.rpc('anvil_setCode', [elsewhere, code]);
  for (let slot = 0; slot < 20; slot += 1) {
    const key = `0x${slot.toString(16).padStart(64, '0')}`;
    await world.rpc('anvil_setStorageAt', [elsewhere, key, await world.rpc('eth_getStorageAt', [vault, key, 'latest'])]);
  }
  const failing = await world.send(alice, {
    to: vault,
    data: encodeFunctionData({
      abi: exchangeVaultAbi,
      functionName: 'depositERC20',
      args: [world.token('USDC'), 5n, alice.account.address],
    }),
  });
  expect((await world.client.waitForTransactionReceipt({ hash: failing })).status).toBe('reverted');
  await world.send(alice, {
    to: elsewhere,
    data: encodeFunctionData({ abi: exchangeVaultAbi, functionName: 'depositNative', args: [alice.account.address] }),
    value: 5n,
  });
  await world.deposit(bob, 1n);
  await credited().toBe(1);
  expect(world.accountOf(alice)).toBeUndefined();
});

test("D1: a blocked account's deposit waits in suspense", async () => {
  const indexer = world.startIndexer();
  await world.deposit(alice, 5n);
  await credited().toBe(1);
  const account = world.accountOf(alice)!;
  await world.heart.submit({ type: 'SetAccountFlag', account, flag: 'blocked', value: true });
  await world.deposit(alice, 6n);
  await credited().toBe(2);
  expect(world.funding(alice, USDC).free).toBe(5n);
  await eventually(async () => (await depositsOf(indexer, alice)).list.map((deposit) => deposit.state)).toEqual(['SUSPENDED', 'CREDITED']);
});

test('D1: a deposit that waited for a blocked account reads CREDITED when the account is no longer blocked', async () => {
  const indexer = world.startIndexer();
  await world.deposit(alice, 5n);
  await credited().toBe(1);
  const account = world.accountOf(alice)!;
  const states = () => eventually(async () => (await depositsOf(indexer, alice)).list.map((deposit) => deposit.state));
  await world.heart.submit({ type: 'SetAccountFlag', account, flag: 'blocked', value: true });
  await world.deposit(alice, 6n);
  await states().toEqual(['SUSPENDED', 'CREDITED']);
  await world.heart.submit({ type: 'SetAccountFlag', account, flag: 'blocked', value: false });
  expect(world.funding(alice, USDC).free).toBe(11n);
  await states().toEqual(['CREDITED', 'CREDITED']);
});

test('D3: scanning again from the first block, with an empty database, credits nothing twice', async () => {
  world.startIndexer();
  for (let amount = 1n; amount <= 5n; amount += 1n) await world.deposit(alice, amount);
  await credited().toBe(5);
  await world.stopIndexer();
  for (const table of ['indexer_deposit', 'indexer_transaction', 'indexer_block'] as const) await world.db.sql.deleteFrom(table).execute();
  const indexer = world.startIndexer();
  await world.deposit(alice, 100n);
  await credited().toBe(6);
  expect(world.funding(alice, USDC).free).toBe(115n);
  expect((await depositsOf(indexer, alice)).total).toBe(6);
});

test('D1: a node that is down, stale or inconsistent delays a deposit, and nothing else', async () => {
  let lie: 'down' | 'stale' | 'noReceipts' | undefined = 'down';
  const client: typeof world.client = {
    ...world.client,
    getBlock: ((call?: Parameters<PublicClient['getBlock']>[0]) => {
      if (lie === 'down') return Promise.reject(new Error('down'));
      return world.client.getBlock(lie === 'stale' && call === undefined ? { blockNumber: 1n } : call);
    }) as PublicClient['getBlock'],
    getBlockReceipts: (...call: Parameters<typeof world.client.getBlockReceipts>) =>
      lie === 'noReceipts' ? Promise.resolve([]) : world.client.getBlockReceipts(...call),
  };
  world.startIndexer({ client });
  await world.deposit(alice, 5n);
  await eventually(() => world.troubles.length).toBeGreaterThan(0);
  lie = 'noReceipts';
  await eventually(() => world.troubles.some((error) => error.name === 'ChainInconsistent')).toBe(true);
  expect(world.events('DepositCredited')).toEqual([]);
  lie = undefined;
  await credited().toBe(1);
  lie = 'stale';
  await world.deposit(alice, 6n);
  lie = undefined;
  await credited().toBe(2);
  expect(world.funding(alice, USDC).free).toBe(11n);
});

type Receipts = Awaited<ReturnType<PublicClient['getBlockReceipts']>>;
type Logs = Receipts[number]['logs'];

test.each<[string, (logs: Logs) => Logs]>([
  ['no logs', () => []],
  ['every log twice', (logs) => logs.flatMap((log) => [log, log])],
  ['the first log left out', (logs) => logs.slice(1)],
  ['the last log left out', (logs) => logs.slice(0, -1)],
  ['the logs in reverse order', (logs) => logs.toReversed()],
])('D1: a node that reports %s is queried again: the deposit is credited once, under its own key', async (_lie, change) => {
  let isLying = true;
  const getBlockReceipts = async (...call: Parameters<typeof world.client.getBlockReceipts>): Promise<Receipts> => {
    const receipts = await world.client.getBlockReceipts(...call);
    return isLying ? receipts.map((receipt) => ({ ...receipt, logs: change(receipt.logs) })) : receipts;
  };
  const hash = await world.deposit(alice, 5n);
  world.startIndexer({ client: { ...world.client, getBlockReceipts } });
  await eventually(() => world.troubles.some((error) => error.name === 'ChainInconsistent')).toBe(true);
  expect(world.events('DepositCredited')).toEqual([]);
  isLying = false;
  await credited().toBe(1);
  expect(world.events('DepositCredited')[0]?.key).toMatch(new RegExp(`^138565:${hash}:\\d+$`));
  expect(world.funding(alice, USDC).free).toBe(5n);
});

test('M2: the vault and the ledger agree, and a gift to the vault is reported as a gift', async () => {
  let now = Date.now();
  const indexer = world.startIndexer({ now: () => now });
  await world.deposit(alice, 25n);
  await credited().toBe(1);
  await world.send(deployer, {
    to: world.token('USDC'),
    data: encodeFunctionData({ abi: testTokenAbi, functionName: 'mint', args: [world.deployment.vault, 3n] }),
  });
  now += 60_000;
  const usdc = () => indexer.solvency().find(({ coin }) => coin === 'USDC');
  await eventually(() => {
    now += 60_000;
    return usdc();
  }).toEqual({
    coin: 'USDC',
    vault: 28n,
    ledger: 25n,
    uncredited: 0n,
    unposted: 0n,
    unrequested: 0n,
    donated: 3n,
    unpaid: 0n,
    orphaned: 0n,
    writtenOff: 0n,
    difference: 0n,
  });
  expect(indexer.unready()).toBeUndefined();
});

test('M2: a node that advances during the queries is queried again without a report; one that fails is reported', async () => {
  let failure: 'on the way' | 'at rest' | undefined = 'on the way';
  const readContract = (async (call: Parameters<PublicClient['readContract']>[0]) => {
    if (failure === undefined) return world.client.readContract(call);
    if (failure === 'on the way') await world.mine();
    failure = undefined;
    throw new Error('block height is 35 but requested was 34');
  }) as PublicClient['readContract'];
  const indexer = world.startIndexer({ client: { ...world.client, readContract } });
  await eventually(() => usdcOf(indexer)).toMatchObject({ vault: 0n, difference: 0n });
  expect(world.troubles).toEqual([]);
  await world.stopIndexer();
  failure = 'at rest';
  const again = world.startIndexer({ client: { ...world.client, readContract } });
  await eventually(() => usdcOf(again)).toMatchObject({ difference: 0n });
  expect(world.troubles).toMatchObject([{ message: 'block height is 35 but requested was 34' }]);
});

test('F4: what others paid in and what was paid out is listed; what people paid in for themselves is only where they were paid before', async () => {
  const indexer = world.startIndexer();
  await world.deposit(alice, 5_000_000n);
  await world.deposit(alice, 7_000_000n, bob);
  await credited().toBe(2);
  const [usdc, key] = [{ asset: 1 }, expect.stringMatching(/^138565:0x/) as string];
  const given = { ...usdc, direction: 'IN', key, address: bob.address, counterparty: alice.address, amount: 7_000_000n };
  await eventually(() => indexer.payments()).toEqual([given]);
  await world.withdraw(bob, { asset: USDC, amount: 2_000_000n, to: alice.address, name: 'back' });
  await eventually(() => world.events('WithdrawalPosted').length).toBe(1);
  const back = { ...usdc, direction: 'OUT', key: expect.any(String) as string, address: bob.address, counterparty: alice.address };
  const own = { ...given, address: alice.address, amount: 5_000_000n };
  await eventually(() => indexer.payments()).toEqual([own, given, { ...back, amount: 2_000_000n }]);
});
