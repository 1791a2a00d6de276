import type { Principal } from '@orrery/api';
import { exchangeVaultAbi, testTokenAbi } from '@orrery/contracts';
import type { Event } from '@orrery/protocol';
import { atoms, millis } from '@orrery/units';
import { encodeFunctionData, type Hash, keccak256, type PublicClient, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Indexer } from './indexer.ts';
import { alice, bob, deployer, type Person, SOSO, USDC, World, openDatabase } from './testing/world.ts';

/** Polls a condition, with a limit for slow machines. */
const eventually = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 30_000, interval: 20 });

let db: Awaited<ReturnType<typeof openDatabase>>;
let world: World;

beforeAll(async () => {
  db = await openDatabase();
});

beforeEach(async () => {
  world = await World.open(db);
});

afterEach(() => world.close());

afterAll(() => db.close());

function principal(who: Person): Principal {
  const account = world.accountOf(who);
  if (account === undefined) throw new Error('no account');
  return { account, address: who.address, via: 'session', credential: 'test', permission: 'READ', tier: 'standard', endsAt: millis(0) };
}

const depositsOf = async (indexer: Indexer, who: Person) =>
  indexer.handlers.deposit.deposits({ principal: principal(who), query: {}, body: undefined, caller: undefined as never });

const usdcOf = (indexer: Indexer) => indexer.solvency().find(({ coin }) => coin === 'USDC');

async function withdrawing(who: Person, name: string): Promise<readonly Event[]> {
  const account = world.accountOf(who)!;
  const withdrawalId = keccak256(toHex(name));
  await world.heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
  const command = { type: 'RequestWithdrawal', account, withdrawalId, asset: USDC, amount: atoms(1n), to: who.address } as const;
  return (await world.heart.submit(command)).events;
}

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

async function reorgAway(depth: number, confirmations: number): Promise<{ indexer: Indexer; hash: Hash; raw: string }> {
  const indexer = world.startIndexer({ confirmations });
  await world.mine(80);
  const hash = await world.deposit(alice, 25_000_000n);
  const raw = (await world.rpc('eth_getRawTransactionByHash', [hash])) as string;
  await world.mine(depth - 1);
  await world.caughtUp();
  return { indexer, hash, raw };
}

test(
  'D2: a reorganisation as deep as the confirmations touches no credit, and the deposit is credited where it lands',
  { timeout: 120_000 },
  async () => {
    for (const depth of [1, 2, 4]) {
      const { indexer, hash, raw } = await reorgAway(depth, 4);
      const before = world.events('DepositCredited').length;
      await world.reorg(depth);
      await eventually(async () =>
        world.db.sql.selectFrom('indexer_deposit').select('key').where('tx_hash', '=', hash).execute(),
      ).toHaveLength(0);
      expect(indexer.unready()).toBeUndefined();
      expect(world.events('DepositCredited').length).toBe(before);
      await world.rpc('eth_sendRawTransaction', [raw]);
      await world.mine(10);
      await credited().toBe(before + 1);
      await world.stopIndexer();
    }
    expect(world.troubles.filter((error) => error.name === 'AssertionError')).toEqual([]);
  },
);

test.each([33, 64])(
  'D2, M2: one of %i blocks halts, moves what is gone into suspense, and heals when the deposit is back',
  { timeout: 120_000 },
  async (depth) => {
    const { indexer, raw } = await reorgAway(depth, 32);
    await credited().toBe(1);
    const account = world.accountOf(alice)!;
    await world.reorg(depth);
    await eventually(() => indexer.unready()).toMatch(new RegExp(`^the chain took back ${depth} blocks after block \\d+$`));
    await eventually(() => world.events('DepositSuspended')).toMatchObject([{ account, amount: 25_000_000n, fromFunding: 25_000_000n }]);
    expect(world.funding(alice, USDC)).toEqual({ free: 0n, held: 0n });
    const withdrawal = await withdrawing(alice, 'gone');
    expect(withdrawal).toMatchObject([{ type: 'CommandRejected', reason: 'DepositInSuspense' }]);
    await world.deposit(bob, 1_000_000n);
    await world.mine(40);
    await eventually(() => world.db.sql.selectFrom('indexer_deposit').select('state').execute()).toEqual([{ state: 'pending' }]);
    expect(world.events('DepositCredited').length).toBe(1);
    await eventually(() => usdcOf(indexer)).toMatchObject({ orphaned: 25_000_000n, uncredited: 1_000_000n, difference: 0n });

    await world.rpc('eth_sendRawTransaction', [raw]);
    await world.mine(40);
    await eventually(() => indexer.unready()).toBeUndefined();
    // Its own first credit, bob's, and its own again.
    await credited().toBe(3);
    expect(world.funding(alice, USDC).free).toBe(25_000_000n);
    expect(world.funding(bob, USDC).free).toBe(1_000_000n);
    expect(world.events('AccountFlagSet').filter(({ flag }) => flag !== 'termsAccepted')).toEqual([]);
    await eventually(() => usdcOf(indexer)).toMatchObject({ orphaned: 0n, vault: 26_000_000n, ledger: 26_000_000n, difference: 0n });
    expect(await withdrawing(alice, 'back')).toMatchObject([{ type: 'WithdrawalHeld' }, {}, {}]);
  },
);

test('D2: an orphaned deposit is found in the wallet where it went', { timeout: 120_000 }, async () => {
  const { indexer, raw } = await reorgAway(40, 32);
  await credited().toBe(1);
  const account = world.accountOf(alice)!;
  const amount = atoms(4_000_000n);
  await world.heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
  await world.heart.submit({ type: 'Transfer', account, transferId: 'spot', asset: USDC, amount, from: 'funding', to: 'spot' });
  await world.reorg(40);
  await eventually(() => world.events('DepositSuspended')).toMatchObject([{ fromFunding: 21_000_000n, fromSpot: 4_000_000n }]);
  await eventually(() => usdcOf(indexer)).toMatchObject({ orphaned: 25_000_000n, difference: 0n });
  await world.rpc('eth_sendRawTransaction', [raw]);
  await world.mine(40);
  await eventually(() => indexer.unready()).toBeUndefined();
  await eventually(() => world.funding(alice, USDC).free).toBe(25_000_000n);
});

test('D2: a deposit that is back only after a person has ended the halt frees its holder', { timeout: 120_000 }, async () => {
  const { indexer, raw } = await reorgAway(65, 32);
  await credited().toBe(1);
  await world.reorg(65);
  await eventually(() => world.events('DepositSuspended').length).toBe(1);
  await indexer.clearHalt(indexer.unready());
  await world.mine();
  await eventually(() => indexer.unready()).toBeUndefined();
  expect(await withdrawing(alice, 'too soon')).toMatchObject([{ type: 'CommandRejected', reason: 'DepositInSuspense' }]);
  await world.rpc('eth_sendRawTransaction', [raw]);
  await world.mine(40);
  await eventually(() => world.funding(alice, USDC).free).toBe(25_000_000n);
  expect(await withdrawing(alice, 'in time')).toMatchObject([{ type: 'WithdrawalHeld' }, {}, {}]);
});

test('D2: one deeper than 64 blocks stays halted until a person has looked', { timeout: 120_000 }, async () => {
  const indexer = world.startIndexer({ confirmations: 32 });
  await world.mine(120);
  await world.caughtUp();
  await world.reorg(65);
  await eventually(() => indexer.unready()).toMatch(/took back 65 blocks/);
  await world.deposit(alice, 5n);
  await world.mine(80);
  await eventually(async () => (await world.db.sql.selectFrom('indexer_deposit').select('key').execute()).length).toBe(1);
  await world.stopIndexer();
  const again = world.startIndexer({ confirmations: 32 });
  await eventually(() => again.unready()).toMatch(/took back 65 blocks/);
  expect(world.events('DepositCredited')).toEqual([]);
  await again.clearHalt('the chain took back 66 blocks after block 1');
  await world.mine();
  await world.caughtUp();
  expect(again.unready()).toMatch(/took back 65 blocks/);
  await again.clearHalt(again.unready());
  await credited().toBe(1);
});

test('D2: a reorganisation that the node reports in two parts is as deep as both together', { timeout: 120_000 }, async () => {
  await world.mine(120);
  const old = new Map<bigint, Awaited<ReturnType<PublicClient['getBlock']>>>();
  const { number: top } = await world.client.getBlock();
  for (let number = top - 70n; number <= top - 19n; number += 1n) old.set(number, await world.client.getBlock({ blockNumber: number }));
  let isHalfWay = true;
  const getBlock = ((call?: { blockNumber?: bigint }) => {
    const kept = isHalfWay ? old.get(call?.blockNumber ?? -1n) : undefined;
    return kept === undefined ? world.client.getBlock(call) : Promise.resolve(kept);
  }) as PublicClient['getBlock'];
  const indexer = world.startIndexer({ confirmations: 4, client: { ...world.client, getBlock } });
  await world.caughtUp();
  await world.reorg(65);
  await eventually(() => indexer.unready()).toMatch(/took back (19|2[0-9]) blocks/);
  isHalfWay = false;
  await eventually(() => indexer.unready()).toMatch(/took back 65 blocks/);
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
