/**
 * A week of trading in contracts by some hundred accounts, drawn from a seed: honest people who meet the exchange and the ones who quote, and hands
 * planted among them that pass money to one of their accounts. Prices walk; all trades of the honest are near them.
 */
import type { Contract, Side, Trade } from '@orrery/protocol';
import { type AccountId, accountId, atoms, lots, type MarketId, marketId, orderId, type Ticks, ticks, tradeId } from '@orrery/units';
import { CONTRACTS } from '../../../../exchange/src/listing.ts';
import { contractFlowOf, type Flow, Flows } from '../leaderboard/flows.ts';
import { chanceOf } from './wash-month.ts';

/** USDC atoms. */
export const UNIT = 1_000_000n;
export const HOUSE = accountId(1);
const HONEST = 400;
const BLOCKS = 42;
const MARKETS = [marketId(11), marketId(12), marketId(13)];
const START = 100_000;

export interface PlantedHand {
  readonly kind: string;
  readonly winner: AccountId;
  readonly members: readonly AccountId[];
  /** Quote atoms that were passed on to the winner, at most. */
  readonly passed: bigint;
}

export interface PassingWeek {
  readonly flows: readonly Flow[];
  readonly hands: readonly PlantedHand[];
  readonly honest: readonly AccountId[];
  readonly marks: ReadonlyMap<MarketId, Ticks>;
}

const LISTED = CONTRACTS.find(({ payoff }) => payoff === 'linear');
if (LISTED === undefined) throw new Error('a linear contract is listed');
/** A lot is worth as many atoms as its price has ticks. */
export const LINEAR: Contract = { ...LISTED, tickLotAtoms: atoms(1n) };
const FEE_PPM = { taker: 500n, maker: 200n };

interface Deal {
  readonly buyer: AccountId;
  readonly seller: AccountId;
  readonly market: MarketId;
  readonly block: number;
  /** In ticks. */
  readonly price: number;
  readonly lots: number;
  readonly isQuick?: boolean;
}

export class Week {
  readonly #chance: () => number;
  readonly #flows = new Flows();
  readonly #prices = new Map<MarketId, number[]>();
  readonly #hands: PlantedHand[] = [];
  #next = 2;
  #seq = 0;

  constructor(seed: number) {
    this.#chance = chanceOf(seed);
  }

  play(): PassingWeek {
    for (const market of MARKETS) this.#prices.set(market, this.#walk());
    const honest = Array.from({ length: HONEST }, () => this.#account());
    this.#tradeHonestly(honest);
    for (const size of [2, 3, 4]) this.#plantRing(size);
    for (const size of [3, 4]) this.#plantChain(size);
    for (const size of [2, 3, 4]) this.#plantFarPrices(size);
    const marks = new Map(MARKETS.map((market) => [market, ticks(this.#price(market, BLOCKS - 1))]));
    return { flows: [...this.#flows.all()], hands: this.#hands, honest, marks };
  }

  // ---- the honest ----------------------------------------------------------------------------------------------------

  #tradeHonestly(honest: readonly AccountId[]): void {
    const quoting = honest.slice(0, 12);
    for (const [index, account] of honest.entries()) {
      // A few trade all the time, most now and then, some hardly ever.
      const times = index < 40 ? this.#between(60, 200) : this.#between(0, index % 3 === 0 ? 4 : 25);
      const lots = this.#between(2_000, 60_000);
      for (let time = 0; time < times; time += 1) {
        const others = quoting.filter((one) => one !== account);
        const other = this.#chance() < 0.5 ? HOUSE : this.#chance() < 0.9 ? this.#pick(others) : this.#pick(honest.slice(12, 60));
        if (other !== account) this.#deal(this.#fair(account, other, lots));
      }
    }
    // The exchange's tape takes from its market-maker.
    for (let block = 0; block < BLOCKS; block += 1)
      for (const market of MARKETS)
        for (let n = 0; n < 10; n += 1) this.#deal({ ...this.#fair(accountId(100_000), HOUSE, 1_000), market, block });
  }

  #fair(one: AccountId, other: AccountId, lots: number): Deal {
    const [market, block] = [this.#pick(MARKETS), this.#between(0, BLOCKS - 1)];
    const price = Math.round(this.#price(market, block) * (1 + (this.#chance() - 0.5) * 0.006));
    const [buyer, seller] = this.#chance() < 0.5 ? [one, other] : [other, one];
    return { buyer, seller, market, block, price, lots, isQuick: this.#chance() < 0.4 };
  }

  // ---- hands ---------------------------------------------------------------------------------------------------------

  /** All others lose to the winner, who trades with strangers too. */
  #plantRing(size: number): void {
    const [winner, ...losers] = this.#members(size);
    const passed = losers.reduce((sum, loser) => sum + this.#pass(loser, winner), 0n);
    this.#hide(winner, 10);
    this.#hands.push({ kind: `ring of ${size}`, winner, members: [winner, ...losers], passed });
  }

  /** Each hands on to the next what it won from the one before. */
  #plantChain(size: number): void {
    const members = this.#members(size);
    const [winner] = members;
    let passed = 0n;
    members.forEach((member, index) => {
      const from = members[index + 1];
      if (from !== undefined) passed += this.#pass(from, member);
    });
    this.#hide(winner, 10);
    this.#hands.push({ kind: `chain of ${size}`, winner, members, passed });
  }

  /** In one trade far from the outside price; the losers trade with strangers too. */
  #plantFarPrices(size: number): void {
    const [winner, ...losers] = this.#members(size);
    let passed = 0n;
    for (const loser of losers) {
      const fair = this.#fair(winner, loser, this.#between(250_000, 1_500_000));
      const mid = this.#price(fair.market, fair.block);
      const cheap = Math.round(mid * (0.9 + 0.06 * this.#chance()));
      this.#deal({ ...fair, buyer: winner, seller: loser, price: cheap });
      this.#deal({ ...fair, buyer: loser, seller: winner, price: mid });
      passed += BigInt((mid - cheap) * fair.lots);
      this.#hide(loser, 6);
    }
    this.#hide(winner, 10);
    this.#hands.push({ kind: `far prices, ${size}`, winner, members: [winner, ...losers], passed });
  }

  /** Sells dear and buys back cheap, near enough to the outside price to be no gift. */
  #pass(from: AccountId, to: AccountId): bigint {
    let passed = 0n;
    for (let time = this.#between(3, 12); time > 0; time -= 1) {
      const { market, block } = this.#fair(from, to, 1);
      const [mid, lots] = [this.#price(market, block), this.#between(250_000, 1_500_000)];
      const [dear, cheap] = [Math.round(mid * 1.004), Math.round(mid * 0.996)];
      this.#deal({ buyer: from, seller: to, market, block, price: dear, lots });
      this.#deal({ buyer: to, seller: from, market, block, price: cheap, lots });
      passed += BigInt((dear - cheap) * lots);
    }
    return passed;
  }

  /** Trades with strangers, for little. */
  #hide(account: AccountId, times: number): void {
    for (let time = 0; time < times; time += 1) {
      const other = time % 2 === 0 ? HOUSE : accountId(this.#between(2, 13));
      this.#deal(this.#fair(account, other, this.#between(2_000, 20_000)));
    }
  }

  #members(size: number): [AccountId, ...AccountId[]] {
    return [this.#account(), ...Array.from({ length: size - 1 }, () => this.#account())];
  }

  // ---- what it is made of --------------------------------------------------------------------------------------------

  #walk(): number[] {
    const prices = [START];
    while (prices.length < BLOCKS) prices.push(Math.round((prices.at(-1) ?? START) * (1 + (this.#chance() - 0.5) * 0.03)));
    return prices;
  }

  #price(market: MarketId, block: number): number {
    return this.#prices.get(market)?.[block] ?? START;
  }

  #account(): AccountId {
    this.#next += 1;
    return accountId(this.#next - 1);
  }

  #between(low: number, high: number): number {
    return low + Math.floor(this.#chance() * (high - low + 1));
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.#chance() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  #deal(deal: Deal): void {
    this.#seq += 1;
    const { block, isQuick = true } = deal;
    const outside = ticks(this.#price(deal.market, block));
    // One of the two takes, the other one's order was there.
    const takerSide = this.#chance() < 0.5 ? ('buy' as const) : ('sell' as const);
    this.#flows.add(
      contractFlowOf(tradeOf(deal, takerSide), { contract: LINEAR, usdcDecimals: 6, block, isQuick, seq: this.#seq, outside }),
    );
  }
}

function tradeOf({ buyer, seller, market, price, lots: size }: Deal, takerSide: Side): Trade {
  const notional = BigInt(price) * BigInt(size);
  const fee = (ppm: bigint) => atoms((notional * ppm + 999_999n) / 1_000_000n);
  const [takerAccount, makerAccount] = takerSide === 'buy' ? [buyer, seller] : [seller, buyer];
  return {
    type: 'Trade',
    tradeId: tradeId(1),
    market,
    price: ticks(price),
    size: lots(size),
    notional: atoms(notional),
    takerSide,
    takerOrderId: orderId(1),
    takerAccount,
    takerFee: fee(FEE_PPM.taker),
    makerOrderId: orderId(2),
    makerAccount,
    makerFee: fee(FEE_PPM.maker),
    makerRemaining: lots(0),
  };
}
