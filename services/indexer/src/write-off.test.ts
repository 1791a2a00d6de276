/** Deposits that the chain took back and that two operators write off, on a real chain. */
import type { Principal } from '@orrery/api';
import { atoms, millis } from '@orrery/units';
import { keccak256, toHex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Indexer } from './indexer.ts';
import { alice, bob, openDatabase, type Person, USDC, World, eventually, usdcOf } from './testing/world.ts';

let db: Awaited<ReturnType<typeof openDatabase>>;
let world: World;

beforeAll(async () => {
  db = await openDatabase();
});

beforeEach(async () => {
  world = await World.open(db);
});

afterEach(async ({ task }) => {
  // Of a test that failed: what the indexer tried again says why it did not get there.
  if (task.result?.state === 'fail') console.log('troubles of the indexer:', world.troubles);
  await world.close();
});

afterAll(() => db.close());

const DEPOSIT = 25_000_000n;
const CONFIRMATIONS = 4;
const DEPTH = 12;

const lost = async (indexer: Indexer) => (await indexer.writeOffs.lost({ page: 1, size: 10 })).list;

async function depositsOf(indexer: Indexer, who: Person) {
  const account = world.accountOf(who)!;
  const rights = { via: 'session', credential: 'test', permission: 'READ', tier: 'standard', endsAt: millis(0) } as const;
  const principal: Principal = { account, address: who.address, ...rights };
  const { list } = await indexer.handlers.deposit.deposits({ principal, query: {}, body: undefined, caller: undefined as never });
  return list;
}

const hold = async (who: Person, name: string, amount: bigint) => {
  const account = world.accountOf(who)!;
  await world.heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
  const withdrawalId = keccak256(toHex(name));
  const to = bob.address;
  const { events } = await world.heart.submit({ type: 'RequestWithdrawal', account, withdrawalId, asset: USDC, amount: atoms(amount), to });
  return events[0]?.type;
};

/** Of the deposit `spent` is out of the account before the chain takes it back. */
async function loseDeposit(spent = 0n) {
  const indexer = world.startIndexer({ confirmations: CONFIRMATIONS });
  await world.mine(30);
  const hash = await world.deposit(alice, DEPOSIT);
  const raw = (await world.rpc('eth_getRawTransactionByHash', [hash])) as string;
  await world.mine(DEPTH - 1);
  await eventually(() => world.events('DepositCredited').length).toBe(1);
  const account = world.accountOf(alice)!;
  if (spent > 0n) {
    await world.heart.submit({ type: 'OpenAccount', address: bob.address });
    await world.heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
    const id = keccak256(toHex('spent'));
    const command = { type: 'WithdrawInternally', account, withdrawalId: id, asset: USDC, amount: atoms(spent), to: bob.address } as const;
    expect((await world.heart.submit(command)).events[0]?.type).toBe('WithdrawnInternally');
  }
  await world.reorg(DEPTH);
  await eventually(() => world.events('DepositSuspended').length).toBe(1);
  await eventually(async () => (await lost(indexer))[0]?.suspended).toBe(String(Number(DEPOSIT - spent) / 1e6));
  const key = world.events('DepositCredited')[0]?.key ?? '';
  return { indexer, hash, raw, key, account };
}

test('D2, M2: one that never returns is written off, its account withdraws again, and the halt ends', { timeout: 120_000 }, async () => {
  const { indexer, hash, key, account } = await loseDeposit();
  expect(await hold(alice, 'locked', 1n)).toBe('CommandRejected');
  const createdTime = (await lost(indexer))[0]?.since;
  expect(await depositsOf(indexer, alice)).toMatchObject([
    {
      txHash: hash,
      logIndex: Number(key.split(':')[2]),
      amount: '25',
      state: 'SUSPENDED',
      blockNumber: null,
      confirmations: 0,
      createdTime,
    },
  ]);
  const deposit = { key, txHash: hash, account, coin: 'USDC', amount: '25', suspended: '25', paid: null, writtenAt: null };
  expect(await lost(indexer)).toEqual([{ ...deposit, since: expect.any(Number) as number, state: 'LOST' }]);
  expect(await indexer.writeOffs.find('138565:0x00:0')).toBeUndefined();
  await indexer.writeOffs.writeOff(key);
  await indexer.writeOffs.writeOff(key);
  expect(world.events('DepositWrittenOff')).toMatchObject([{ key, amount: DEPOSIT, fromSuspense: DEPOSIT, uncovered: 0n }]);
  await world.mine(10);
  await eventually(() => indexer.unready()).toBeUndefined();
  await eventually(() => usdcOf(indexer)).toMatchObject({ ledger: 0n, vault: 0n, orphaned: 0n, writtenOff: 0n, difference: 0n });
  expect(await lost(indexer)).toMatchObject([
    { key, state: 'WRITTEN_OFF', suspended: '0', paid: '0', writtenAt: expect.any(Number) as number },
  ]);
  expect(await depositsOf(indexer, alice)).toMatchObject([
    { txHash: hash, amount: '25', state: 'WRITTEN_OFF', blockNumber: null, confirmations: 0 },
  ]);
  await world.deposit(alice, 3_000_000n);
  await world.mine(10);
  await eventually(() => world.funding(alice, USDC).free).toBe(3_000_000n);
  expect(await hold(alice, 'free', 1n)).toBe('WithdrawalHeld');
});

test('M2: what its account had spent the exchange pays: nothing is missing any more, and it is shown', { timeout: 120_000 }, async () => {
  const { indexer, key } = await loseDeposit(10_000_000n);
  await eventually(() => usdcOf(indexer)?.difference).toBe(-10_000_000n);
  await indexer.writeOffs.writeOff(key);
  expect(world.events('DepositWrittenOff')).toMatchObject([{ fromSuspense: 15_000_000n, fromInsurance: 0n, uncovered: 10_000_000n }]);
  await world.mine(10);
  await eventually(() => usdcOf(indexer)).toMatchObject({ ledger: 0n, vault: 0n, writtenOff: 10_000_000n, difference: 0n });
  await eventually(() => indexer.unready()).toBeUndefined();
  expect(await lost(indexer)).toMatchObject([{ state: 'WRITTEN_OFF', paid: '10' }]);
});

test(
  'D1, M2: one that returns after its write-off is credited with the rest, once, and can leave again',
  { timeout: 120_000 },
  async () => {
    const { indexer, hash, raw, key } = await loseDeposit(10_000_000n);
    await indexer.writeOffs.writeOff(key);
    await world.mine(10);
    await eventually(() => indexer.unready()).toBeUndefined();
    await world.rpc('eth_sendRawTransaction', [raw]);
    await world.mine();
    await eventually(async () => (await lost(indexer))[0]?.state).toBe('RETURNING');
    await eventually(async () => (await depositsOf(indexer, alice)).map(({ state }) => state)).toEqual(['PENDING']);
    await world.mine(DEPTH - 2);
    await eventually(() => world.events('WriteOffRepaid')).toMatchObject([{ key, amount: 10_000_000n }]);
    await eventually(() => world.funding(alice, USDC).free).toBe(15_000_000n);
    await eventually(() => usdcOf(indexer)).toMatchObject({ ledger: DEPOSIT, vault: DEPOSIT, writtenOff: 0n, difference: 0n });
    expect(await depositsOf(indexer, alice)).toMatchObject([{ txHash: hash, amount: '25', state: 'CREDITED' }]);
    expect(await lost(indexer)).toEqual([]);
    expect(world.events('DepositCredited').length).toBe(2);

    await world.reorg(DEPTH);
    await eventually(() => world.events('DepositSuspended').length).toBe(2);
    await eventually(async () => (await lost(indexer))[0]?.suspended).toBe('15');
    expect(await lost(indexer)).toMatchObject([{ key, state: 'LOST', paid: null }]);
    await indexer.writeOffs.writeOff(key);
    await eventually(() => usdcOf(indexer)).toMatchObject({ ledger: 0n, vault: 0n, writtenOff: 10_000_000n, difference: 0n });
  },
);

test('D2: one that is credited again is refused its write-off, by the engine too', { timeout: 120_000 }, async () => {
  const { indexer, raw, key } = await loseDeposit();
  await world.rpc('eth_sendRawTransaction', [raw]);
  await world.mine();
  await eventually(async () => (await lost(indexer))[0]?.state).toBe('RETURNING');
  await world.mine(10);
  await eventually(() => world.funding(alice, USDC).free).toBe(DEPOSIT);
  await expect(indexer.writeOffs.writeOff(key)).rejects.toMatchObject({ data: { reason: 'DepositNotInSuspense', field: 'key' } });
  await eventually(() => lost(indexer)).toEqual([]);
  expect(world.events('DepositWrittenOff')).toEqual([]);
});

test('R2: an indexer that dies between the engine and its own row reads the write-off in the journal', { timeout: 120_000 }, async () => {
  const { key } = await loseDeposit(10_000_000n);
  await world.stopIndexer();
  await world.heart.submit({ type: 'WriteOffDeposit', key });
  const again = world.startIndexer({ confirmations: CONFIRMATIONS });
  await world.mine(10);
  await eventually(() => again.unready()).toBeUndefined();
  await eventually(async () => (await lost(again)).map(({ state, paid }) => [state, paid])).toEqual([['WRITTEN_OFF', '10']]);
  await eventually(() => usdcOf(again)).toMatchObject({ ledger: 0n, orphaned: 0n, difference: 0n });
  await world.stopIndexer();
  // And from an empty record of the heart, as after a loss of its tables.
  for (const table of ['indexer_offset', 'indexer_credit', 'indexer_suspense', 'indexer_write_off'] as const)
    await world.db.sql.deleteFrom(table).execute();
  const later = world.startIndexer({ confirmations: CONFIRMATIONS });
  await eventually(async () => (await lost(later)).map(({ state, paid }) => [state, paid])).toEqual([['WRITTEN_OFF', '10']]);
  await eventually(() => usdcOf(later)).toMatchObject({ ledger: 0n, writtenOff: 10_000_000n, difference: 0n });
});
