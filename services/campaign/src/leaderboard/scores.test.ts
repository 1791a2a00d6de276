import type { Market, Trade } from '@orrery/protocol';
import { accountId, atoms, lots, orderId, ticks, tradeId } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { assetByCode, MARKETS } from '../../../../exchange/src/listing.ts';
import { dayOfBlock, flowOf, Flows } from './flows.ts';
import type { Board } from '../tables/leaderboard.ts';
import { profitScores, type ScoreGround, standings } from './scores.ts';

const BTC = MARKETS.find(({ symbol }) => symbol === 'BTC_USDC') as Market;
const PEOPLE = { alice: 1, bob: 2, carol: 3, maker: 4 } as const;
type Person = keyof typeof PEOPLE;
const FEE_PPM = 1_000n;
const MILLION = 1_000_000n;

/** `alice buys 0.1 @ 50000 of maker`: the first takes. Fees of 0.1 % on each side, rounded up; `free` makes them none. */
function parse(line: string, seq: number): Trade {
  const [taker, verb, size, , price, , maker, mark] = line.trim().split(/\s+/);
  const takerSide = verb === 'buys' ? 'buy' : 'sell';
  const lotsTraded = Math.round(Number(size) * 10 ** BTC.sizePrecision);
  const inTicks = Math.round(Number(price) * 10 ** BTC.pricePrecision);
  const notional = BigInt(lotsTraded) * BigInt(inTicks) * BTC.tickLotAtoms;
  const fee = (received: bigint) => atoms(mark === 'free' ? 0n : (received * FEE_PPM + MILLION - 1n) / MILLION);
  const base = BigInt(lotsTraded) * BTC.lotAtoms;
  return {
    type: 'Trade',
    tradeId: tradeId(seq),
    market: BTC.market,
    price: ticks(inTicks),
    size: lots(lotsTraded),
    notional: atoms(notional),
    takerSide,
    takerOrderId: orderId(seq * 2),
    takerAccount: accountId(PEOPLE[taker as Person]),
    takerFee: fee(takerSide === 'buy' ? base : notional),
    makerOrderId: orderId(seq * 2 + 1),
    makerAccount: accountId(PEOPLE[maker as Person]),
    makerFee: fee(takerSide === 'buy' ? notional : base),
    makerRemaining: lots(0),
  };
}

function groundOf(
  tape: string,
  options: { mark?: number; clusters?: readonly (readonly Person[])[]; unranked?: readonly Person[]; cap?: number } = {},
): ScoreGround {
  const flows = new Flows();
  const lines = tape.split('\n').filter((line) => line.trim() !== '');
  for (const [index, line] of lines.entries())
    flows.add(flowOf(parse(line, index + 1), { market: BTC, block: index, isQuick: false, seq: index + 1, outside: undefined }));
  const clusters = (options.clusters ?? []).map((names) => names.map((name): number => PEOPLE[name]));
  const unranked = (options.unranked ?? ['maker']).map((name): number => PEOPLE[name]);
  return {
    flows: flows.all(),
    marks: options.mark === undefined ? new Map() : new Map([[BTC.market, ticks(options.mark * 10 ** BTC.pricePrecision)]]),
    marketOf: () => BTC,
    clusterOf: (account) => accountId(clusters.find((cluster) => cluster.includes(account))?.[0] ?? account),
    // Each line of the tape is a block of its own.
    dayOf: (block) => dayOfBlock(block, 0),
    volumeCapPerDay: options.cap === undefined ? undefined : BigInt(options.cap) * 10n ** BigInt(assetByCode('USDC').decimals),
    isRanked: (account) => !unranked.includes(account),
    isHouse: (account) => account === PEOPLE.maker,
    counterpartyFrom: 0n,
  };
}

/** `alice 5000` in USDC, best first; of profit also who has too few counterparties to be ranked. */
function ranked(board: Board, ground: ScoreGround): readonly string[] {
  const nameOf = (account: number): string => Object.entries(PEOPLE).find(([, id]) => id === account)?.[0] ?? '';
  const unit = 10 ** assetByCode('USDC').decimals;
  const found = board === 'PNL' ? profitScores(ground) : standings(board, ground);
  return found.map(({ account, value }) => `${nameOf(account)} ${Number(value) / unit}`);
}

describe('[T12] volume', () => {
  const tape = `
    alice buys  0.1  @ 50000 of maker
    bob   sells 0.3  @ 50000 of maker
    carol buys  0.2  @ 50000 of bob
  `;
  test('counts both sides of what was traded with others', () =>
    expect(ranked('VOLUME', groundOf(tape))).toEqual(['bob 25000', 'carol 10000', 'alice 5000']));

  test('F4: does not count what two of one cluster traded', () =>
    expect(ranked('VOLUME', groundOf(tape, { clusters: [['bob', 'carol']] }))).toEqual(['bob 15000', 'alice 5000']));

  test('F4: does not count trades without a fee', () =>
    expect(ranked('VOLUME', groundOf('alice buys 0.1 @ 50000 of bob free'))).toEqual([]));

  test('of equal values the one reached earlier ranks first', () =>
    expect(ranked('VOLUME', groundOf('bob buys 0.1 @ 50000 of maker\n alice buys 0.1 @ 50000 of maker'))).toEqual([
      'bob 5000',
      'alice 5000',
    ]));

  test('the unranked are not ranked, and trades with them count', () =>
    expect(ranked('VOLUME', groundOf(tape, { unranked: ['maker', 'bob'] }))).toEqual(['carol 10000', 'alice 5000']));
});

describe('[T12] profit and loss', () => {
  test.each<[what: string, tape: string, mark: number | undefined, expected: readonly string[]]>([
    [
      'the example: realised and unrealised, after fees',
      'alice buys 0.1 @ 50000 of maker\n alice sells 0.05 @ 60000 of maker',
      62_000,
      ['alice 1090.8'],
    ],
    ['what was sold before it fell is a profit', 'alice sells 0.1 @ 50000 of maker', 40_000, ['alice 995']],
    ['what was sold before it rose is a loss', 'alice sells 0.1 @ 50000 of maker', 60_000, ['alice -1005']],
    ['at one price it costs the fees', 'alice buys 0.1 @ 50000 of maker\n alice sells 0.0999 @ 50000 of maker', 50_000, ['alice -9.995']],
    ['without a mark a position is worth nothing', 'alice buys 0.1 @ 50000 of maker', undefined, ['alice -5000']],
    ['the maker earns what the taker loses, less both fees', 'alice buys 0.1 @ 50000 of bob', 49_000, ['bob 95', 'alice -104.9']],
  ])('%s', (_, tape, mark, expected) => expect(ranked('PNL', groundOf(tape, mark === undefined ? {} : { mark }))).toEqual(expected));

  test('F4: profit shifted within a cluster is none', () =>
    expect(
      ranked(
        'PNL',
        groundOf('alice buys 0.1 @ 10000 of bob\n alice sells 0.01 @ 50000 of maker', { mark: 50_000, clusters: [['alice', 'bob']] }),
      ),
    ).toEqual(['alice -0.5']));

  test('value is rounded down, below zero too', () => {
    const [bought] = standings('PNL', groundOf('alice buys 0.00001 @ 0.1 of maker free', { mark: 0.3 }));
    const [sold] = standings('PNL', groundOf('alice sells 0.00001 @ 0.1 of maker', { mark: 0.1 }));
    expect([bought?.value, sold?.value]).toEqual([2n, -1n]);
  });
});
