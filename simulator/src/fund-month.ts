/** Two funds over the recorded prices: carry, by the steps that its manager takes, and a market maker on another contract. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { carryStep, type CarryView } from '@orrery/fund-manager';
import type { Side } from '@orrery/protocol';
import { assetId, NO_ATOMS, ticks, type AccountId } from '@orrery/units';
import { BTC, usdc, USDC } from '../../core/engine/src/testing/contract-scene.ts';
import { BTC_PERP, BTC_SPOT, ETH_PERP, eventsOf, FundScene } from '../../core/engine/src/testing/fund-scene.ts';

/** All that is recorded. */
export const RECORDED_DAYS = 30;
const DAY_MINUTES = 24 * 60;
const MINUTE = 60_000;
export const MAKER = assetId(11);
/** Ticks of the spot market and of the contracts in a dollar. */
const TICKS = 10;

/** The close of each minute, in ticks. */
export function recorded(coin: string): { readonly at: number; readonly price: number }[] {
  const text = gunzipSync(readFileSync(new URL(`../../services/prices/data/${coin}-1m.csv.gz`, import.meta.url))).toString();
  return text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number))
    .map(([at = 0, , , , close = 0]) => ({ at: at * 1_000 + MINUTE, price: Math.round(close * TICKS) }));
}

export class Month extends FundScene {
  readonly maker: AccountId;
  /** Of the contract of carry, newest first. */
  readonly rates: bigint[] = [];
  steps = 0;
  #lots = 0;

  constructor() {
    super(20_000, { fees: 500, interest: 100 });
    this.isChecked = false;
    this.maker = this.person(NO_ATOMS);
    this.must({ type: 'RegisterAsset', asset: MAKER, code: 'FUND2', decimals: 6, kind: 'internal' });
    const leader = this.saver(20_000);
    this.must({ type: 'OpenFund', fund: MAKER, account: this.maker, leader, asset: USDC, amount: usdc(20_000), capacity: usdc(1_000_000) });
    const stake = { type: 'Transfer', account: this.maker, transferId: 'stake', asset: USDC } as const;
    this.must({ ...stake, amount: usdc(15_000), from: 'funding', to: 'futures' });
  }

  /** A minute of the recording. */
  minute(at: number, bitcoin: number, ether: number): void {
    this.at = at - 5_000;
    this.must({ type: 'SetIndexPrice', market: BTC_SPOT, price: ticks(bitcoin) });
    const settled = [...this.round(BTC_PERP, bitcoin), ...this.round(ETH_PERP, ether)];
    for (const { market, ratePpb } of eventsOf(settled, 'FundingSettled')) if (market === BTC_PERP) this.rates.unshift(BigInt(ratePpb));
    this.at = at;
    if (at % (10 * MINUTE) !== 0) return;
    this.must({ type: 'SendFundHeartbeat', account: this.manager });
    this.#quote(ether);
  }

  /** The maker stands five hundredths of a percent away on both sides; the street takes one of them. */
  #quote(price: number): void {
    const away = Math.ceil(price / 2_000);
    const size = Math.floor(Number(usdc(500)) / price);
    this.must({ type: 'CancelAllOrders', account: this.maker, market: 0 });
    for (const side of ['buy', 'sell'] as const)
      this.give(this.order(this.maker, side, size, side === 'buy' ? price - away : price + away, { market: ETH_PERP }));
    const side: Side = this.#lots > 0 ? 'buy' : this.#lots < 0 ? 'sell' : price % 2 === 0 ? 'buy' : 'sell';
    const taken = this.give({
      ...this.order(this.street, side, size, side === 'buy' ? price + away : price - away, { market: ETH_PERP }),
      timeInForce: 'IOC',
    });
    for (const { size: lots } of eventsOf(taken, 'Trade')) this.#lots -= side === 'buy' ? lots : 0 - lots;
  }

  /** Money to where carry trades. */
  fundCarry(): void {
    this.arm('spot', 19_000);
    this.arm('futures', 25_000);
  }

  /** Every step that carry takes now: the street is on the other side of each. */
  carry(price: number): void {
    for (let step = carryStep(this.#viewOf(price)); step !== undefined; step = carryStep(this.#viewOf(price))) {
      const { leg, side, size, reduceOnly } = step;
      const other: Side = side === 'buy' ? 'sell' : 'buy';
      const contract = { market: BTC_PERP };
      this.must(leg === 'spot' ? this.spotOrder(this.street, other, size, price) : this.order(this.street, other, size, price, contract));
      this.must(
        leg === 'spot'
          ? this.spotOrder(this.manager, side, size, price)
          : this.order(this.manager, side, size, price, { ...contract, reduceOnly }),
      );
      this.steps += 1;
    }
  }

  #viewOf(price: number): CarryView {
    return {
      worth: this.worth,
      coins: Number(this.wallet(this.manager, BTC, 'spot') / 1_000n),
      short: 0 - (this.position(this.manager, BTC_PERP)?.size ?? 0),
      lotWorth: BigInt(price),
      least: 10,
      fundings: this.rates,
      predicted: 0n,
      intervalHours: 1,
      feesPpm: 500,
      missedHedges: 0,
      isResting: false,
    };
  }
}

/** @param days of the recording, from its beginning */
export function playMonth(days: number): Month {
  const [bitcoin, ether] = [recorded('BTC'), recorded('ETH')];
  const month = new Month();
  const savers = [month.saver(20_000), month.saver(20_000)];
  for (const [minute, { at, price }] of bitcoin.slice(0, days * DAY_MINUTES).entries()) {
    month.minute(at, price, ether[minute]?.price ?? price);
    if (minute === 30) for (const saver of savers) month.subscribe(saver, 15_000);
    if (minute === 60) month.fundCarry();
    if (minute > 60 && minute % 60 === 1) month.carry(price);
    if (minute === 2 * DAY_MINUTES) month.redeem(savers[0] ?? month.leader, 5_000);
  }
  return month;
}
