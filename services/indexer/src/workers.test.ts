/** Two processes that pay: of which one acts, whatever pauses. */
import { randomInt } from 'node:crypto';
import { exchangeVaultAbi } from '@orrery/contracts';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { inAWorld, world } from './testing/in-a-world.ts';
import { Worker } from './testing/worker.ts';
import { alice, bob, eventually, USDC } from './testing/world.ts';

const ROUNDS = 6;
/** A turn with a withdrawal has about this number of answers and calls. */
const POINTS = 60;

// What a process that stands still has locked is free again after that.
inAWorld({ idleInTransactionMs: 1_000 });

const expire = () => sql`update foundation_lease set expires = now() - interval '1 second'`.execute(world.db.sql);

test('D4: two senders with one key pay each withdrawal once, whichever is paused anywhere for longer than its lease', async () => {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
  console.log(`workers: SEED=${seed}`);
  const draw = drawing(seed);
  const first = new Worker(world, 'depositor');
  await world.deposit(alice, 1_000_000_000n);
  await eventually(() => world.events('DepositCredited').length).toBe(1);
  await first.stop();

  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = new Worker(world, `one ${round}`);
    await eventually(() => one.leases.held().some(({ isHeld }) => isHeld)).toBe(true);
    const other = new Worker(world, `other ${round}`);
    const paused = one.pauseAfter(1 + draw(POINTS));
    for (const name of ['left', 'right'])
      ids.push(await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: `${name} ${round}` }));
    await paused;
    await expire();
    // Half of those that are paused learn by their own clock that time went by: the others by SQL alone.
    if (draw(2) === 0) one.clockMs += 30_000;
    await other.leases.renew();
    const goesOnEarly = draw(2) === 0;
    if (goesOnEarly) one.resume();
    await eventually(() => world.events('WithdrawalPosted').length).toBe(ids.length);
    await one.stop();
    await other.stop();
  }

  const released = await world.client.getContractEvents({
    address: world.deployment.vault,
    abi: exchangeVaultAbi,
    eventName: 'Released',
    fromBlock: 0n,
  });
  const paid = released.map(({ args }) => args.id);
  expect([paid.length, new Set<string | undefined>(paid)]).toEqual([ids.length, new Set(ids)]);
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(5n * BigInt(ids.length));
  // No transaction beside the ones that paid: none failed, none took the nonce of another.
  const parcels = await world.db.sql
    .selectFrom('indexer_parcel')
    .select(['reference', 'state', 'nonce', 'hashes'])
    .orderBy('nonce')
    .execute();
  expect(parcels.map(({ reference }) => reference).toSorted()).toEqual(ids.toSorted());
  expect(new Set(parcels.map(({ nonce }) => nonce)).size).toBe(parcels.length);
  expect(parcels.filter(({ state, hashes }) => state === 'failed' || hashes.length !== 1)).toEqual([]);
});

test('what the vault and the ledger hold is known to the process that does not read the chain, and to one that takes the work over', async () => {
  const one = new Worker(world, 'reads the chain');
  await eventually(() => one.leases.held().some(({ isHeld }) => isHeld)).toBe(true);
  const other = new Worker(world, 'stands by');
  const vaultOf = ({ indexer }: Worker): bigint | undefined => indexer.solvency().find(({ coin }) => coin === 'USDC')?.vault;
  for (const amount of [7n, 12n]) {
    await world.deposit(alice, amount === 7n ? amount : amount - 7n);
    await eventually(() => vaultOf(one)).toBe(amount);
    await eventually(() => other.indexer.solvency()).toEqual(one.indexer.solvency());
    const newest = Number(await world.client.getBlockNumber());
    for (const { indexer } of [one, other]) await eventually(async () => (await indexer.measures()).height).toBe(newest);
  }
  await one.stop();
  await expire();
  await other.leases.renew();
  await world.deposit(alice, 1n);
  await eventually(() => vaultOf(other)).toBe(13n);
  await other.stop();
});

/** Whole numbers below a bound, by a seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
