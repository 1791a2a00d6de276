/**
 * An exchange with contracts, a spot market, a fund and its people for scripted scenes. What is due stands before each command, as the sequencer places it, and
 * what a command leaves over follows it. After every command the balances sum to zero, and what `assertFundsSound` knows holds.
 */
import {
  assetId,
  atoms,
  lots,
  marketId,
  millis,
  ppm,
  ticks,
  type AccountId,
  type Address,
  type AssetId,
  type Atoms,
  type Millis,
} from '@orrery/units';
import type { Command, Event, Market, PlaceOrder, Side } from '@orrery/protocol';
import { FUND_VALUATION_MS, intervalOf } from '@orrery/rules';
import { decodeState } from '../engine.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { BTC, usdc, USDC } from './contract-scene.ts';
import { ContractsScene, inverseContract, linearContract } from './contracts-scene.ts';
import { addressOf } from './tape-people.ts';
import { assertFundsSound } from './funds-sound.ts';

/** The shares of the fund. */
export const FUND = assetId(10);
export const BTC_SPOT = marketId(1);
export const BTC_PERP = 2;
export const ETH_PERP = 3;
/** It is settled in BTC. */
export const COIN_PERP = 4;

/** A tick is 0.1 USDC, a lot 0.00001 BTC, which is 1,000 atoms. */
export const SPOT_MARKET: Market = {
  market: BTC_SPOT,
  symbol: 'BTC_USDC',
  base: BTC,
  quote: USDC,
  pricePrecision: 1,
  sizePrecision: 5,
  lotAtoms: atoms(1_000n),
  tickLotAtoms: atoms(1n),
  minPrice: ticks(1),
  maxPrice: ticks(100_000_000),
  minSize: lots(1),
  maxSize: lots(1_000_000_000),
  minNotional: atoms(1n),
  maxNotional: usdc(100_000_000),
  makerFeePpm: ppm(0),
  takerFeePpm: ppm(0),
  limitBandPpm: ppm(100_000),
  marketBandPpm: ppm(50_000),
  maxOpenOrders: 200,
};

/** 1,000 USDC a coin. */
export const PRICE = 10_000;

/** In parts per million. */
interface ContractTerms {
  /** Of those who take. */
  readonly fees?: number;
  /** Of eight hours, which a contract without a premium pays. */
  readonly interest?: number;
}

export class FundScene extends ContractsScene {
  readonly leader: AccountId;
  /** The account of the fund. */
  readonly manager: AccountId;
  /** Whom the fund trades with. */
  readonly street: AccountId;

  /** Whether the state is looked at after each command. */
  isChecked = true;

  /** @param stake what the leader pays, in units */
  constructor(stake = 1_000, { fees = 0, interest = 0 }: ContractTerms = {}) {
    const terms = { makerFeePpm: ppm(0), takerFeePpm: ppm(fees), interestPpm8h: ppm(interest) };
    super([linearContract(BTC_PERP, 'BTC', terms), linearContract(ETH_PERP, 'ETH', terms), inverseContract(COIN_PERP)]);
    this.must({ type: 'RegisterMarket', ...SPOT_MARKET });
    this.must({ type: 'RegisterAsset', asset: FUND, code: 'FUND1', decimals: 6, kind: 'internal' });
    this.leader = this.saver(stake);
    this.manager = this.person(usdc(0));
    this.street = this.person(usdc(10_000_000));
    this.toSpot(this.street, USDC, usdc(10_000_000));
    this.toSpot(this.street, BTC, atoms(100_000_000_000n));
    this.move(PRICE, 4);
    this.must({
      type: 'OpenFund',
      fund: FUND,
      account: this.manager,
      leader: this.leader,
      asset: USDC,
      amount: usdc(stake),
      capacity: usdc(1_000_000),
    });
  }

  /** Someone with money in the funding wallet. */
  saver(money: number): AccountId {
    const account = this.person(usdc(0));
    this.credit(account, USDC, usdc(money));
    return account;
  }

  credit(account: AccountId, asset: AssetId, amount: Atoms): void {
    this.must({ type: 'CreditDeposit', key: `c${this.history.length}`, address: this.addressOf(account), asset, amount });
  }

  toSpot(account: AccountId, asset: AssetId, amount: Atoms): void {
    this.credit(account, asset, amount);
    this.must({ type: 'Transfer', account, transferId: `t${this.history.length}`, asset, amount, from: 'funding', to: 'spot' });
  }

  /** The manager moves money to where it trades. */
  arm(wallet: 'futures' | 'spot', money: number): void {
    this.must({
      type: 'Transfer',
      account: this.manager,
      transferId: `m${this.history.length}`,
      asset: USDC,
      amount: usdc(money),
      from: 'funding',
      to: wallet,
    });
  }

  /** Of a person of this scene. */
  addressOf(account: AccountId): Address {
    return addressOf(`p${account}`);
  }

  override give(command: Command): readonly Event[] {
    const events: Event[] = [];
    for (let due = this.engine.due(millis(this.at)); due !== undefined; due = this.engine.due(millis(this.at)))
      events.push(...super.give(due));
    events.push(...super.give(command));
    if (this.isChecked) assertFundsSound(this.snapshot());
    return events;
  }

  /** Rounds in which everything has this price, three seconds apart. */
  move(price: number, rounds = 1): readonly Event[] {
    const events: Event[] = [];
    for (let round = 0; round < rounds; round += 1) {
      this.at += 3_000;
      events.push(...this.must({ type: 'SetIndexPrice', market: BTC_SPOT, price: ticks(price) }));
      for (const market of [BTC_PERP, ETH_PERP]) events.push(...this.round(market, price));
    }
    return events;
  }

  /** To some time before the next valuation, and then past it at this price, with the manager heard. */
  pass(price: number): readonly Event[] {
    const next = this.at - (this.at % FUND_VALUATION_MS) + FUND_VALUATION_MS;
    this.at = next - 15_000;
    const before = this.move(price, 4);
    const heard = this.isOpen ? this.must({ type: 'SendFundHeartbeat', account: this.manager }) : [];
    return [...before, ...heard, ...this.move(price, 2)];
  }

  /** The interval that ended last. */
  get fundInterval(): Millis {
    return intervalOf(millis(this.at), FUND_VALUATION_MS);
  }

  get isOpen(): boolean {
    return this.snapshot().funds.some(({ end }) => end.length === 0);
  }

  spotOrder(account: AccountId, side: Side, size: number, price: number): PlaceOrder {
    const { contract: _, takeProfit: __, stopLoss: ___, sizing: ____, ...order } = this.order(account, side, size, price);
    return { ...order, type: 'PlaceOrder', market: BTC_SPOT };
  }

  subscribe(account: AccountId, money: number): readonly Event[] {
    return this.give({ type: 'SubscribeToFund', fund: FUND, account, subscriptionId: `s${this.history.length}`, amount: usdc(money) });
  }

  redeem(account: AccountId, shares: number | bigint): readonly Event[] {
    const amount = typeof shares === 'bigint' ? atoms(shares) : usdc(shares);
    return this.give({ type: 'RedeemFromFund', fund: FUND, account, redemptionId: `r${this.history.length}`, shares: amount });
  }

  /** Free and held. */
  shares(account: AccountId): bigint {
    return this.wallet(account, FUND, 'funding');
  }

  get fund(): Snapshot['funds'][number] | undefined {
    return this.snapshot().funds[0];
  }

  /** What the fund is worth by the last valuation and what was executed after it. */
  get worth(): bigint {
    return this.fund?.worth ?? 0n;
  }

  restart(): void {
    this.engine = decodeState(this.engine.encodeState());
  }
}

/** Those of one kind. */
export const eventsOf = <Type extends Event['type']>(events: readonly Event[], type: Type): readonly Extract<Event, { type: Type }>[] =>
  events.filter((event): event is Extract<Event, { type: Type }> => event.type === type);
