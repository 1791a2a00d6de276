/** A market for each test of a file, with three people in it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Market, openDatabase, openMarket, type Person } from './market.ts';

export let market: Market;
export let alice: Person;
export let bob: Person;
export let carol: Person;

/** Nothing of it may end in trouble. */
export function withMarket(): void {
  let db: Awaited<ReturnType<typeof openDatabase>>;
  beforeAll(async () => {
    db = await openDatabase();
  });
  beforeEach(async () => {
    market = await openMarket(db);
    [alice, bob, carol] = [await market.newcomer('alice'), await market.newcomer('bob'), await market.newcomer('carol')];
  });
  afterEach(async () => {
    await market.close();
    expect(market.troubles).toEqual([]);
  });
  afterAll(() => db.close());
}
