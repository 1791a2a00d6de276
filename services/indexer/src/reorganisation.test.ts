/** Blocks that the chain takes back, and what becomes of the deposits in them. */
import type { Event } from '@orrery/protocol';
import { atoms } from '@orrery/units';
import { type Hash, keccak256, type PublicClient, toHex } from 'viem';
import { expect, test } from 'vitest';
import type { Indexer } from './indexer.ts';
import { inAWorld, world } from './testing/in-a-world.ts';
import { alice, bob, type Person, USDC, eventually, usdcOf } from './testing/world.ts';

inAWorld();

async function withdrawing(who: Person, name: string): Promise<readonly Event[]> {
  const account = world.accountOf(who)!;
  const withdrawalId = keccak256(toHex(name));
  await world.heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
  const command = { type: 'RequestWithdrawal', account, withdrawalId, asset: USDC, amount: atoms(1n), to: who.address } as const;
  return (await world.heart.submit(command)).events;
}

const credited = () => eventually(() => world.events('DepositCredited').length);

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
