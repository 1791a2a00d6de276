import { LUCKY_PREFIXES } from '@orrery/api';
import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { finalBlock } from './confirmations.ts';
import { type LuckyFind, LuckyBlocks } from './lucky-blocks.ts';
import { Scanner } from './scanner.ts';
import { SYNTHETIC_DEPLOYMENT, SyntheticChain } from './testing/synthetic-chain.ts';
import { alice, bob, openDatabase } from './testing/world.ts';

const NOON = Date.UTC(2026, 10, 22, 12) / 1000;
const PLAIN = '0x1234';

let db: Awaited<ReturnType<typeof openDatabase>>;
let chain: SyntheticChain;
let clock: { now: number };
let lucky: LuckyBlocks;
let turn: () => Promise<void>;

/** The program's part of it starts, on what SQL has. */
function start(required = 1): void {
  lucky = new LuckyBlocks({ sql: db.sql, reads: db.sql, required, fromBlock: 1, now: () => clock.now });
  const scanner = new Scanner({
    sql: db.sql,
    client: chain.client(),
    deployment: SYNTHETIC_DEPLOYMENT,
    now: () => clock.now,
    onReorg: (transaction, reorg) => lucky.onReorg(transaction, reorg),
  });
  turn = async () => {
    const askedAt = clock.now;
    // It may have reported the old branch: it is queried until it reports nothing new.
    while ((await scanner.scan()) === 'moved');
    const head = await scanner.head();
    if (head !== undefined) await lucky.read({ head: head.number, askedAt });
  };
}

const sending = (sender = alice.address, recipient = bob.address) => ({ sender, recipient });
const found = () => lucky.after(0);
const brief = ({ blockNumber, transaction, isTakenBack }: LuckyFind) =>
  `${blockNumber} ${transaction === undefined ? 'nobody' : transaction.sender === alice.address ? 'alice' : 'bob'}${isTakenBack ? ' taken back' : ''}`;

beforeAll(async () => {
  db = await openDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  await sql`truncate indexer_block, indexer_transaction, indexer_deposit, indexer_release, indexer_request, indexer_offset, indexer_lucky_block`.execute(
    db.sql,
  );
  chain = new SyntheticChain();
  clock = { now: NOON * 1000 };
  start();
});

describe('[T10] the lucky blocks of a chain', () => {
  test('[T10] are those whose hash begins with one of the ten prefixes, and no others', async () => {
    const others = ['0xaaaa', '0xffff', '0x0001', '0x1112', '0x2122', '0x000a', '0x9998'];
    for (const prefix of [...LUCKY_PREFIXES, ...others]) chain.add({ prefix, time: NOON, transactions: [sending()] });
    await turn();
    expect((await found()).map(({ blockHash }) => blockHash.slice(0, 6))).toEqual([...LUCKY_PREFIXES]);
  });

  test('[T10] belong to the transaction at index 0, whatever comes after it; an empty one has no owner', async () => {
    chain.add({ prefix: '0x7777', time: NOON, transactions: [sending(bob.address), sending(alice.address)] });
    chain.add({ prefix: '0x7777', time: NOON + 1, transactions: [] });
    await turn();
    expect((await found()).map(brief)).toEqual(['1 bob', '2 nobody']);
    expect((await found())[0]).toMatchObject({
      blockTime: NOON * 1000,
      foundAt: clock.now,
      transaction: { hash: chain.hashOf(1, 0), sender: bob.address, recipient: bob.address, value: 1n, hasData: false },
    });
  });

  test('[T10] a creation has no recipient, and a call has data', async () => {
    chain.add({ prefix: '0x3333', time: NOON, transactions: [{ sender: alice.address, recipient: null, value: 0n, input: '0x60' }] });
    await turn();
    expect((await found())[0]?.transaction).toMatchObject({ recipient: undefined, value: 0n, hasData: true });
  });

  test('[T10] are found when they are final, once, across restarts', async () => {
    start(3);
    chain.add({ prefix: '0x1111', time: NOON, transactions: [sending()] });
    chain.add({ prefix: PLAIN, time: NOON + 1, transactions: [] });
    await turn();
    expect(await found()).toEqual([]);
    chain.add({ prefix: '0x2222', time: NOON + 2, transactions: [sending()] });
    for (let times = 0; times < 3; times++) {
      start(3);
      await turn();
      await turn();
      expect((await found()).map(brief)).toEqual(['1 alice']);
    }
    chain.add({ prefix: PLAIN, time: NOON + 3, transactions: [] });
    chain.add({ prefix: PLAIN, time: NOON + 4, transactions: [] });
    await turn();
    expect((await found()).map(brief)).toEqual(['1 alice', '3 alice']);
  });

  test('[T10] one that is replaced before it is final is never found', async () => {
    start(3);
    chain.add({ prefix: PLAIN, time: NOON, transactions: [sending()] });
    chain.add({ prefix: '0x4444', time: NOON + 1, transactions: [sending()] });
    await turn();
    chain.takeBack(1);
    for (const time of [1, 2, 3, 4]) chain.add({ prefix: PLAIN, time: NOON + time, transactions: [sending()] });
    await turn();
    expect(await found()).toEqual([]);
  });

  test('D2: one that was final and is taken back stays listed as that, its successor is looked at, and it may come back', async () => {
    chain.add({ prefix: PLAIN, time: NOON, transactions: [sending()] });
    chain.add({ prefix: '0x5555', time: NOON + 1, transactions: [sending(alice.address)] });
    await turn();
    const gone = chain.takeBack(1);
    chain.add({ prefix: '0x6666', time: NOON + 2, transactions: [sending(bob.address)] });
    await turn();
    expect((await found()).map(brief)).toEqual(['2 alice taken back', '2 bob']);
    const [lost] = await lucky.takenBack();
    expect(brief((await lucky.find(lost ?? ''))!)).toBe('2 alice taken back');
    chain.takeBack(1);
    chain.giveBack(gone);
    await turn();
    expect((await found()).map(brief)).toEqual(['2 bob taken back', '2 alice']);
  });

  test('[T10] waits for the turn that began late enough', async () => {
    chain.add({ prefix: '0x0000', time: NOON, transactions: [sending()] });
    let isReached = false;
    const reached = lucky.reached(clock.now).then(() => (isReached = true));
    clock.now -= 1;
    await turn();
    expect(isReached).toBe(false);
    clock.now += 1;
    await turn();
    await reached;
    expect(isReached).toBe(true);
    await lucky.reached(clock.now);
  });

  test('[T11] are listed by pages, newest first, of everybody or of one sender', async () => {
    for (let number = 1; number <= 12; number++) {
      chain.add({ prefix: '0x8888', time: NOON + number, transactions: number % 3 === 0 ? [sending(bob.address)] : [sending()] });
    }
    await turn();
    expect((await lucky.page({ page: 2, pageSize: 10 })).list.map(brief)).toEqual(['2 alice', '1 alice']);
    const bobs = await lucky.page({ sender: bob.address, page: 1, pageSize: 10 });
    expect([bobs.total, bobs.list.map(({ blockNumber }) => blockNumber)]).toEqual([4, [12, 9, 6, 3]]);
  });

  test('[T10] draws are counted by block time: those of one sender, or every block', async () => {
    const plan = [
      { prefix: '0x0000', time: 0, sender: alice },
      { prefix: PLAIN, time: 1, sender: alice },
      { prefix: '0x1111', time: 2, sender: bob },
      { prefix: '0x2222', time: 3, sender: alice },
    ];
    for (const { prefix, time, sender } of plan) {
      chain.add({ prefix, time: NOON + time, transactions: [sending(sender.address), sending(bob.address)] });
    }
    chain.add({ prefix: '0x3333', time: NOON + 3, transactions: [] });
    await turn();
    const between = { from: NOON * 1000, until: (NOON + 3) * 1000 };
    expect(await lucky.draws({ ...between, sender: alice.address })).toEqual({ draws: 2, lucky: 1 });
    expect(await lucky.draws({ ...between, sender: bob.address })).toEqual({ draws: 1, lucky: 1 });
    expect(await lucky.draws(between)).toEqual({ draws: 3, lucky: 2 });
    expect(await lucky.draws({ ...between, until: between.until + 1 })).toEqual({ draws: 5, lucky: 4 });
  });
});

type Step = {
  readonly add: readonly { readonly prefix: string; readonly isEmpty: boolean }[];
  readonly takeBack: number;
  readonly restart: boolean;
};

const step: fc.Arbitrary<Step> = fc.record({
  add: fc.array(fc.record({ prefix: fc.constantFrom('0x0000', '0x9999', PLAIN, '0xaaaa'), isEmpty: fc.boolean() }), { maxLength: 4 }),
  takeBack: fc.integer({ min: 0, max: 5 }),
  restart: fc.boolean(),
});

test('F2: whatever the chain does, what is found and not taken back is what a reader of the whole final chain would find', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 3 }), async (steps, required) => {
      await sql`truncate indexer_block, indexer_transaction, indexer_deposit, indexer_release, indexer_request, indexer_offset, indexer_lucky_block`.execute(
        db.sql,
      );
      chain = new SyntheticChain();
      start(required);
      const naive: { hash: string; prefix: string; isEmpty: boolean }[] = [];
      let furthest = 0;
      for (const { add, takeBack, restart } of steps) {
        const depth = Math.min(takeBack, Math.max(naive.length - 1, 0));
        // A branch that replaces another is longer.
        if (depth > 0 && add.length > depth) {
          chain.takeBack(depth);
          naive.splice(naive.length - depth, depth);
          furthest = Math.min(furthest, naive.length);
        }
        for (const block of add) {
          naive.push({ ...block, hash: chain.add({ ...block, time: NOON, transactions: block.isEmpty ? [] : [sending()] }) });
        }
        if (naive.length === 0) continue;
        if (restart) start(required);
        await turn();
        furthest = Math.max(furthest, finalBlock(naive.length, required));
      }
      const expected = naive.slice(0, Math.max(furthest, 0)).filter(({ prefix }) => LUCKY_PREFIXES.some((lucky) => lucky === prefix));
      const standing = (await found()).filter(({ isTakenBack }) => !isTakenBack);
      expect(standing.map(({ blockHash }) => blockHash)).toEqual(expected.map(({ hash }) => hash));
    }),
    { numRuns: 60 },
  );
});
