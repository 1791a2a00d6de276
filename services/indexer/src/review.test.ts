import { ApiError } from '@orrery/api';
import { atoms, marketId, ticks } from '@orrery/units';
import type { Hex } from 'viem';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import type { Indexer, IndexerOptions } from './indexer.ts';
import { Crash } from './testing/crash.ts';
import { alice, bob, openDatabase, SOSO, USDC, World, eventually } from './testing/world.ts';

/** 10 USDC. */
const RULES = { above: atoms(10_000_000n), firstEver: false };

let db: Awaited<ReturnType<typeof openDatabase>>;
let world: World;
let indexer: Indexer;

beforeAll(async () => {
  db = await openDatabase();
});

beforeEach(async () => {
  world = await World.open(db);
  indexer = world.startIndexer({ reviewRules: RULES });
  await world.deposit(alice, 1_000_000_000n);
  await world.depositNative(alice, 10n ** 19n);
  await eventually(() => world.events('DepositCredited').length).toBe(2);
});

afterEach(() => world.close());
afterAll(() => db.close());

async function restart(changes: Partial<IndexerOptions>): Promise<void> {
  await world.stopIndexer();
  indexer = world.startIndexer({ reviewRules: RULES, ...changes });
}

const account = () => world.accountOf(alice)!;
const waiting = async () => (await indexer.reviews.waiting({ page: 1, size: 10 })).list;
const reviewOf = async (id: Hex) => (await mine()).find(({ withdrawalId }) => withdrawalId === id);
const mine = async () =>
  (await indexer.handlers.withdrawalReview.withdrawalReviews(asAlice({}))) as { withdrawalId: string; state: string }[];
const cancel = (withdrawalId: string) => indexer.handlers.withdrawalReview.cancelWithdrawal(asAlice({ body: { withdrawalId } }));
/** Handlers of this table look at the principal and the body only. */
const asAlice = (call: object): never => ({ principal: { account: account(), address: alice.address }, ...call }) as never;
const outcomes = () => ({ posted: world.events('WithdrawalPosted').length, refunded: world.events('WithdrawalRefunded').length });
const refusal = async (call: unknown): Promise<unknown> => {
  try {
    await call;
  } catch (error) {
    if (error instanceof ApiError) return { reason: error.data.reason, field: error.data.field };
    throw error;
  }
  return undefined;
};

test('[A8] D4: above the limit an operator decides: approved it is paid, and what is not above goes at once', async () => {
  const large = await world.withdraw(alice, { asset: USDC, amount: 10_000_001n, to: bob.address, name: 'large' });
  const small = await world.withdraw(alice, { asset: USDC, amount: 10_000_000n, to: bob.address, name: 'small' });
  await eventually(outcomes).toEqual({ posted: 1, refunded: 0 });
  expect(world.events('WithdrawalPosted')).toMatchObject([{ withdrawalId: small }]);
  expect(await waiting()).toMatchObject([
    {
      withdrawalId: large,
      account: account(),
      coin: 'USDC',
      amount: '10.000001',
      worth: '10.000001',
      to: bob.address,
      cause: 'ABOVE_LIMIT',
    },
  ]);
  expect(await reviewOf(large)).toEqual({ withdrawalId: large, state: 'WAITING', cause: 'ABOVE_LIMIT', answer: null, cancellable: true });
  expect(await world.db.sql.selectFrom('indexer_payout').select('deadline').where('withdrawal_id', '=', large).execute()).toEqual([
    { deadline: null },
  ]);
  await indexer.reviews.decide({ withdrawalId: large, decision: 'APPROVED', reason: null });
  await eventually(outcomes).toEqual({ posted: 2, refunded: 0 });
  expect(await world.balanceOf('USDC', bob.account.address)).toBe(20_000_001n);
  // A decision is asked for again after a crash.
  await indexer.reviews.decide({ withdrawalId: large, decision: 'APPROVED', reason: null });
  expect(await refusal(indexer.reviews.decide({ withdrawalId: large, decision: 'REFUSED', reason: 'too late' }))).toEqual({
    reason: 'UnknownThing',
    field: 'withdrawalId',
  });
  expect(await refusal(indexer.reviews.decide({ withdrawalId: small, decision: 'APPROVED', reason: null }))).toMatchObject({
    reason: 'UnknownThing',
  });
});

describe('[A8] D4: the limit is of all that an account takes within 24 hours without a look at it', () => {
  const part = (name: string, amount: bigint) => world.withdraw(alice, { asset: USDC, amount, to: bob.address, name });
  const states = async (ids: readonly Hex[]) => Promise.all(ids.map(async (id) => (await reviewOf(id))?.state));

  test('ten parts, each below it: what goes beyond waits, and so does every later one', async () => {
    const ids: Hex[] = [];
    for (let nth = 0; nth < 10; nth += 1) ids.push(await part(`part ${nth}`, 4_000_000n));
    await eventually(async () => (await waiting()).length).toBe(8);
    await eventually(outcomes).toEqual({ posted: 2, refunded: 0 });
    expect(await world.balanceOf('USDC', bob.account.address)).toBe(8_000_000n);
    expect((await waiting()).map(({ cause }) => cause)).toEqual(Array.from({ length: 8 }, () => 'ABOVE_LIMIT'));
    // A smaller one that fits what is left goes.
    await part('what is left', 2_000_000n);
    await eventually(outcomes).toEqual({ posted: 3, refunded: 0 });
    await part('an atom more', 1n);
    await eventually(async () => (await waiting()).length).toBe(9);
  });

  test('what an operator looked at, and what came back, leaves it whole; so does another day', async () => {
    const large = await part('large', 50_000_000n);
    await eventually(async () => (await waiting()).length).toBe(1);
    await indexer.reviews.decide({ withdrawalId: large, decision: 'APPROVED', reason: null });
    await eventually(outcomes).toEqual({ posted: 1, refunded: 0 });
    const refused = await part('refused', 11_000_000n);
    await eventually(async () => (await waiting()).length).toBe(1);
    await indexer.reviews.decide({ withdrawalId: refused, decision: 'REFUSED', reason: 'no' });
    await eventually(outcomes).toEqual({ posted: 1, refunded: 1 });
    await part('today', 10_000_000n);
    await eventually(outcomes).toEqual({ posted: 2, refunded: 1 });
    const over = await part('over', 1n);
    await eventually(() => states([over])).toEqual(['WAITING']);
    await restart({ now: () => Date.now() + 24 * 3_600_000 });
    await part('tomorrow', 10_000_000n);
    await eventually(outcomes).toEqual({ posted: 3, refunded: 1 });
  });
});

test('[A8] D4: refused it is refunded, with the answer that its owner reads', async () => {
  const id = await world.withdraw(alice, { asset: USDC, amount: 20_000_000n, to: bob.address, name: 'refused' });
  await eventually(() => waiting().then(({ length }) => length)).toBe(1);
  await indexer.reviews.decide({ withdrawalId: id, decision: 'REFUSED', reason: 'the address is that of a known thief' });
  await eventually(outcomes).toEqual({ posted: 0, refunded: 1 });
  expect(world.funding(alice, USDC)).toEqual({ free: 1_000_000_000n, held: 0n });
  expect(await reviewOf(id)).toMatchObject({ state: 'REFUSED', answer: 'the address is that of a known thief', cancellable: false });
  expect(await waiting()).toEqual([]);
});

test('[A8] D4: its owner cancels it while it waits, and nobody else can', async () => {
  const id = await world.withdraw(alice, { asset: USDC, amount: 20_000_000n, to: bob.address, name: 'cancelled' });
  await eventually(() => waiting().then(({ length }) => length)).toBe(1);
  const asOther = { principal: { account: account() + 1, address: bob.address }, body: { withdrawalId: id } } as never;
  expect(await refusal(indexer.handlers.withdrawalReview.cancelWithdrawal(asOther))).toEqual({
    reason: 'UnknownThing',
    field: 'withdrawalId',
  });
  expect(await cancel(id)).toEqual({ withdrawalId: id });
  expect(await cancel(id)).toEqual({ withdrawalId: id });
  await eventually(outcomes).toEqual({ posted: 0, refunded: 1 });
  expect(await cancel(id)).toEqual({ withdrawalId: id });
  expect(await reviewOf(id)).toMatchObject({ state: 'CANCELLED', cancellable: false });
  expect(await refusal(indexer.reviews.decide({ withdrawalId: id, decision: 'APPROVED', reason: null }))).toMatchObject({
    reason: 'UnknownThing',
  });
  expect(world.funding(alice, USDC)).toEqual({ free: 1_000_000_000n, held: 0n });
});

test('[A8] D4: what is signed can not be cancelled', async () => {
  const id = await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'signed' });
  await eventually(outcomes).toEqual({ posted: 1, refunded: 0 });
  expect(await refusal(cancel(id))).toEqual({ reason: 'WithdrawalNotInState', field: 'withdrawalId' });
  expect(await refusal(cancel(`0x${'1'.repeat(64)}`))).toEqual({ reason: 'UnknownThing', field: 'withdrawalId' });
  expect(outcomes()).toEqual({ posted: 1, refunded: 0 });
});

test('[A8] a coin is valued by its outside price, and one without a price counts for nothing', async () => {
  await world.withdraw(alice, { asset: SOSO, amount: 10n ** 18n, to: bob.address, name: 'unknown worth' });
  await eventually(outcomes).toEqual({ posted: 1, refunded: 0 });
  const listed = world.heart.history
    .flatMap(({ events }) => events)
    .find((event) => event.type === 'MarketRegistered' && event.base === SOSO && event.quote === USDC);
  if (listed?.type !== 'MarketRegistered') throw new Error('SOSO is traded in USDC');
  const price = ticks(4 * 10 ** listed.pricePrecision);
  const { events } = await world.heart.submit({ type: 'SetIndexPrice', market: marketId(listed.market), price });
  expect(events).toEqual([{ type: 'IndexPriceSet', market: listed.market, price }]);
  // Its worth is known once what came after the price is.
  await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'after the price' });
  await eventually(outcomes).toEqual({ posted: 2, refunded: 0 });
  await world.withdraw(alice, { asset: SOSO, amount: 3n * 10n ** 18n, to: bob.address, name: 'worth 12' });
  await eventually(waiting).toMatchObject([{ coin: 'WSOSO', amount: '3', worth: '12' }]);
});

test('D4: a cancel that comes after the look at a withdrawal and before its signature wins', async () => {
  let cancelled: Hex | undefined;
  const readContract: typeof world.client.readContract = async (call) => {
    // The last thing that is asked before the signature.
    if (call.functionName === 'outflowAvailable' && cancelled === undefined) {
      const row = await world.db.sql.selectFrom('indexer_payout').select(['withdrawal_id', 'review']).executeTakeFirstOrThrow();
      expect(row.review).toBe('free');
      cancelled = row.withdrawal_id as Hex;
      await cancel(cancelled);
    }
    return world.client.readContract(call);
  };
  await restart({ client: { ...world.client, readContract } });
  const id = await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'late' });
  await eventually(outcomes).toEqual({ posted: 0, refunded: 1 });
  expect(cancelled).toBe(id);
  expect(await world.db.sql.selectFrom('indexer_parcel').select('id').execute()).toEqual([]);
});

test('[A8] the first withdrawal of an account is looked at where the exchange says so', async () => {
  await restart({ reviewRules: { above: undefined, firstEver: true } });
  const first = await world.withdraw(alice, { asset: USDC, amount: 5n, to: bob.address, name: 'first' });
  await eventually(() => waiting()).toMatchObject([{ withdrawalId: first, cause: 'FIRST_EVER' }]);
  await indexer.reviews.decide({ withdrawalId: first, decision: 'APPROVED', reason: null });
  await eventually(outcomes).toEqual({ posted: 1, refunded: 0 });
  await world.withdraw(alice, { asset: USDC, amount: 50_000_000n, to: bob.address, name: 'second' });
  await eventually(outcomes).toEqual({ posted: 2, refunded: 0 });
});

test(
  'D4: of a cancel, a decision and the signature that come at once, one wins: paid once or refunded once',
  { timeout: 240_000 },
  async () => {
    const seed = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
    console.log(`seed ${seed}`);
    const chance = new Chance(seed);
    const rounds = 40;
    for (let round = 0; round < rounds; round += 1) {
      const id = await world.withdraw(alice, { asset: USDC, amount: chance.below(2) === 0 ? 5n : 20_000_000n, name: `race ${round}` });
      const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, chance.below(ms)));
      await Promise.all([
        after(120).then(() => refusal(cancel(id))),
        after(120).then(() => refusal(indexer.reviews.decide({ withdrawalId: id, decision: 'APPROVED', reason: null }))),
      ]);
      // Where the cancel came before the withdrawal was known here and the decision too, it waits.
      await eventually(async () => {
        await refusal(cancel(id));
        const ends = [...world.events('WithdrawalPosted'), ...world.events('WithdrawalRefunded')];
        return ends.filter(({ withdrawalId }) => withdrawalId === id).length;
      }).toBe(1);
    }
    const { posted, refunded } = outcomes();
    expect(posted + refunded).toBe(rounds);
    console.log(`${posted} paid, ${refunded} refunded`);
    expect(world.funding(alice, USDC).held).toBe(0n);
    const paid = 1_000_000_000n - world.funding(alice, USDC).free;
    expect(await world.balanceOf('USDC', alice.account.address)).toBe(paid);
  },
);

test(
  'D4: cut off at any statement, command or call, a cancelled withdrawal is refunded exactly once or paid exactly once',
  {
    timeout: 240_000,
  },
  async () => {
    const seed = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
    console.log(`seed ${seed}`);
    const rounds = 20;
    for (let round = 0; round < rounds; round += 1) {
      await world.stopIndexer();
      const id = await world.withdraw(alice, {
        asset: USDC,
        amount: round % 2 === 0 ? 20_000_000n : 10n,
        to: bob.address,
        name: `cut ${round}`,
      });
      for (let cut = 0; cut < 3; cut += 1) {
        const crash = new Crash(1 + (((seed + round * 37 + cut * 53) * 7919) % 110));
        indexer = world.startIndexer({ reviewRules: RULES, ...crash.around(world) });
        const { posted, refunded } = outcomes();
        await eventually(async () => {
          await Promise.resolve(cancel(id)).catch(() => undefined);
          return crash.happened || posted + refunded > round;
        }).toBe(true);
        await world.stopIndexer();
      }
      indexer = world.startIndexer({ reviewRules: RULES, now: () => Date.now() + 15_000 });
      await eventually(() => {
        const { posted, refunded } = outcomes();
        return posted + refunded;
      }).toBe(round + 1);
    }
    const { posted, refunded } = outcomes();
    console.log(`${posted} paid, ${refunded} refunded`);
    expect(refunded).toBeGreaterThanOrEqual(rounds / 2);
    const paid = await world.balanceOf('USDC', bob.account.address);
    expect(paid).toBe(BigInt(posted) * 10n);
    expect(world.funding(alice, USDC)).toEqual({ free: 1_000_000_000n - paid, held: 0n });
  },
);
