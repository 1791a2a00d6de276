import type { Trade } from '@orrery/protocol';
import { type AccountId, accountId, atoms, lots, marketId, orderId, type Ticks, ticks, tradeId } from '@orrery/units';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LINEAR } from '../testing/passing-week.ts';
import { contractFlowOf, Flows } from './flows.ts';
import { type Profit, profits } from './profits.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
/** 1 and 2 are of one hand; 9 is the exchange, and 3 to 8 are alone. */
const HOUSE = 9;
const clusterOf = (account: AccountId): AccountId => accountId(account === 2 ? 1 : account);
const MARK = 1_000;

interface Emitted {
  readonly buyer: number;
  readonly seller: number;
  readonly price: number;
  readonly size: number;
  readonly fees: readonly [number, number];
  readonly outside: number | undefined;
}

const emitted: fc.Arbitrary<Emitted> = fc
  .record({
    buyer: fc.integer({ min: 1, max: 9 }),
    seller: fc.integer({ min: 1, max: 9 }),
    price: fc.integer({ min: 900, max: 1_100 }),
    size: fc.integer({ min: 1, max: 50 }),
    fees: fc.tuple(fc.nat(20), fc.nat(20)),
    outside: fc.option(fc.integer({ min: 950, max: 1_050 }), { nil: undefined }),
  })
  .filter(({ buyer, seller }) => buyer !== seller);

function tradeOf({ buyer, seller, price, size, fees }: Emitted): Trade {
  const [takerFee, makerFee] = fees;
  return {
    type: 'Trade',
    tradeId: tradeId(1),
    market: marketId(1),
    price: ticks(price),
    size: lots(size),
    notional: atoms(BigInt(price) * BigInt(size)),
    takerSide: 'buy',
    takerOrderId: orderId(1),
    takerAccount: accountId(buyer),
    takerFee: atoms(BigInt(takerFee)),
    makerOrderId: orderId(2),
    makerAccount: accountId(seller),
    makerFee: atoms(BigInt(makerFee)),
    makerRemaining: lots(0),
  };
}

interface Counts {
  readonly counterpartyFrom: number;
}

function counted(trades: readonly Emitted[], { counterpartyFrom }: Counts): ReadonlyMap<number, Pick<Profit, 'value' | 'counted'>> {
  const flows = new Flows();
  for (const [index, one] of trades.entries()) {
    const outside: Ticks | undefined = one.outside === undefined ? undefined : ticks(one.outside);
    flows.add(contractFlowOf(tradeOf(one), { contract: LINEAR, usdcDecimals: 6, block: 0, isQuick: false, seq: index + 1, outside }));
  }
  const found = profits({
    flows: flows.all(),
    marks: new Map([[marketId(1), ticks(MARK)]]),
    marketOf: () => ({ tickLotAtoms: atoms(1n), lotAtoms: atoms(1n) }),
    clusterOf,
    isHouse: (account) => account === HOUSE,
    counterpartyFrom: BigInt(counterpartyFrom),
  });
  return new Map(found.map(({ account, value, counted: what }) => [account, { value, counted: what }]));
}

/** The rule a second time: trade by trade, each by its own gain at the mark, in plain numbers. */
function naive(trades: readonly Emitted[], { counterpartyFrom }: Counts): ReadonlyMap<number, Pick<Profit, 'value' | 'counted'>> {
  const legs = trades.flatMap(({ buyer, seller, price, size, fees, outside }) => {
    const better = outside === undefined ? 0 : (outside - price) * size;
    const free = outside === undefined ? 0 : Math.floor((outside * size * 5) / 1_000);
    return [
      {
        own: buyer,
        other: seller,
        gain: (MARK - price) * size - fees[0],
        gift: Math.max(0, better - free),
        volume: fees[0] > 0 ? price * size : 0,
      },
      {
        own: seller,
        other: buyer,
        gain: (price - MARK) * size - fees[1],
        gift: Math.max(0, -better - free),
        volume: fees[1] > 0 ? price * size : 0,
      },
    ];
  });
  const handOf = (account: number): number => (account === 2 ? 1 : account);
  const outsideOf = (account: number) => legs.filter(({ own, other }) => own === account && handOf(own) !== handOf(other));
  const earned = (some: typeof legs): number => some.reduce((sum, { gain, gift }) => sum + gain - gift, 0);
  const found = new Map<number, Pick<Profit, 'value' | 'counted'>>();
  for (let account = 1; account <= 9; account += 1) {
    const own = outsideOf(account);
    if (own.length === 0) continue;
    const others = [...new Set(own.map(({ other }) => handOf(other)))];
    const enough = others.filter(
      (hand) => own.filter(({ other }) => handOf(other) === hand).reduce((sum, { volume }) => sum + volume, 0) >= counterpartyFrom,
    );
    const house = own.filter(({ other }) => other === HOUSE);
    const together = [1, 2].includes(account) ? earned([...outsideOf(1), ...outsideOf(2)]) : earned(own);
    const all = Math.min(earned(own), together);
    const isAll = enough.length >= 5 || house.length === own.length;
    const what = isAll ? 'ALL' : house.length > 0 ? 'HOUSE' : 'NOTHING';
    found.set(account, { value: BigInt(what === 'HOUSE' ? Math.min(all, earned(house)) : all), counted: what });
  }
  return found;
}

const trade = (buyer: number, seller: number, price: number, change: Partial<Emitted> = {}): Emitted => ({
  buyer,
  seller,
  price,
  size: 10,
  fees: [1, 1],
  outside: undefined,
  ...change,
});
/** Small trades at the mark with five strangers. */
const fiveOthers = (account: number) => [3, 4, 5, 6, 7].map((other) => trade(account, other, MARK, { size: 1 }));
const of = (account: number, trades: readonly Emitted[], counterpartyFrom = 0): string => {
  const found = counted(trades, { counterpartyFrom }).get(account);
  return found === undefined ? 'none' : `${found.value} ${found.counted}`;
};

describe('F4: [T12] profit against oneself counts for nothing', () => {
  test('as a naive count of the same trades says', () => {
    console.log(`ORRERY_SEED=${SEED}`);
    fc.assert(
      fc.property(fc.array(emitted, { maxLength: 40 }), fc.integer({ min: 0, max: 60_000 }), (trades, counterpartyFrom) => {
        expect(counted(trades, { counterpartyFrom })).toEqual(naive(trades, { counterpartyFrom }));
      }),
      { numRuns: 1_000, seed: SEED },
    );
  });

  const bet = [trade(1, 9, 900), trade(9, 2, 900)];
  const [near, far] = [trade(1, 8, 996, { outside: 1_000 }), trade(1, 8, 900, { outside: 1_000 })];
  const dear = trade(8, 1, 1_100, { outside: 1_000 });

  test.each<[what: string, account: number, trades: readonly Emitted[], expected: string]>([
    ['what was won from one of the same hand is none', 1, [trade(1, 2, 900)], '-5 ALL'],
    ['what was won from strangers is', 1, [trade(1, 8, 900)], '994 ALL'],
    ['of both sides of a bet the winning one counts for no more than both', 1, bet, '-7 ALL'],
    ['a price within half a percent of the outside price is no gift', 1, [near], '34 ALL'],
    ['what is beyond that is', 1, [far], '44 ALL'],
    ['whoever took', 1, [dear], '44 ALL'],
    ['and the giver has lost it', 8, [far], '-1006 ALL'],
  ])('%s', (_, account, trades, expected) => expect(of(account, [...trades, ...fiveOthers(account)])).toBe(expected));
});

describe('[T12] profit needs five counterparties', () => {
  const won = trade(1, 8, 900);

  test.each<[what: string, trades: readonly Emitted[], expected: string]>([
    ['with four others it is not ranked', [won, ...fiveOthers(1).slice(0, 3)], '996 NOTHING'],
    ['with five it is', [won, ...fiveOthers(1).slice(0, 4)], '995 ALL'],
    ['the same one again is no other', [won, won, won, won, won], '4995 NOTHING'],
    ['two of one hand are one', [trade(8, 1, 900), trade(8, 2, 900), ...fiveOthers(8).slice(0, 3)], '1995 NOTHING'],
    ['the exchange is one of them', [won, trade(1, 9, MARK), ...fiveOthers(1).slice(0, 3)], '995 ALL'],
    ['what was earned from the exchange alone counts at once', [trade(1, 9, 900)], '999 ALL'],
    ['beside too few others only that counts', [won, trade(1, 9, 990)], '99 HOUSE'],
    ['and no more than all', [trade(1, 8, 1_100), trade(1, 9, 900)], '-2 HOUSE'],
  ])('%s', (_, trades, expected) => expect(of(trades[0]?.buyer ?? 1, trades)).toBe(expected));

  test('one with whom hardly anything was traded is none', () => {
    const trades = [won, ...fiveOthers(1).slice(0, 4)];
    expect(of(1, trades, 1_000)).toBe('995 ALL');
    expect(of(1, trades, 1_001)).toBe('995 NOTHING');
  });
});
