/** Random commands of the OTC desk: mostly of things that are there and by those whose step it is, at prices that jump, are missing or are old, and at times about a deadline. */
import {
  accountId,
  addressOf,
  advertisementId,
  assetId,
  atoms,
  cents,
  fiatPrice,
  millis,
  NO_ATOMS,
  NO_CENTS,
  otcOrderId,
  signedPpm,
  type AccountId,
  type AssetId,
  type Millis,
} from '@orrery/units';
import { ACCOUNT_FLAGS, DISPUTE_OUTCOMES, FIATS, SETTABLE_STATES, type Command, type Pricing } from '@orrery/protocol';
import { Chance } from './chance.ts';
import type { NaiveDesk } from './naive-desk.ts';
import { OTC_TERMS } from './tape-otc.ts';

const PEOPLE = 6;
/** By asset: how many decimals, and what one coin costs about, in units of a price. */
export const DECIMALS: Readonly<Record<number, number>> = { 1: 6, 2: 8, 3: 0 };
const USUAL: Readonly<Record<number, bigint>> = { 1: 10_000n, 2: 600_000_000n, 3: 75_000n };
/** What somebody has of each at the beginning: some thousands in fiat money. */
const MONEY: Readonly<Record<number, bigint>> = { 1: 9_000_000_000n, 2: 15_000_000n, 3: 900n };
const ASSETS = [1, 2, 3] as const;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

const personOf = (id: number) => addressOf(`0x${id.toString(16).padStart(40, '0')}`);

/** A desk that opens, and people with coins. */
export function* opening(): Generator<Command> {
  yield { type: 'UpgradeRules', version: 9 };
  for (const asset of ASSETS)
    yield { type: 'RegisterAsset', asset: assetId(asset), code: `COIN${asset}`, decimals: DECIMALS[asset] ?? 0, kind: 'chain' };
  for (let id = 1; id <= PEOPLE; id += 1) {
    yield { type: 'OpenAccount', address: personOf(id) };
    for (const flag of ACCOUNT_FLAGS) if (flag !== 'blocked') yield { type: 'SetAccountFlag', account: accountId(id), flag, value: true };
    for (const asset of ASSETS)
      yield {
        type: 'CreditDeposit',
        key: `opening:${id}:${asset}`,
        address: personOf(id),
        asset: assetId(asset),
        amount: atoms(MONEY[asset] ?? 0n),
      };
  }
  yield { type: 'SetOtcTerms', ...OTC_TERMS };
}

export class RandomDesk {
  readonly #chance: Chance;
  readonly #twin: NaiveDesk;
  readonly #favourite: AccountId;
  #at = 1_000_000 * MINUTE;
  #names = 0;
  #before: Command[] = [];
  /** Deposits that have left the chain, as they come back. */
  readonly #gone: Command[] = [];
  /** Whether buyers cancel more than they pay. */
  readonly #isFickle: boolean;

  constructor(seed: number, twin: NaiveDesk) {
    this.#chance = new Chance(seed);
    this.#twin = twin;
    this.#isFickle = seed % 3 === 0;
    this.#favourite = accountId(this.#chance.between(1, PEOPLE));
  }

  /** Whether the exchange was away up to the next command; otherwise it was heard of in between. */
  #isAway = false;

  /** Mostly seconds; sometimes to where something is due, just before it, or days. */
  nextAt() {
    const chance = this.#chance;
    const before = this.#at;
    const due = this.#twin.orders.map((order) => this.#twin.dueOf(order)).filter((at) => at > this.#at && at < Infinity);
    if (due.length > 0 && chance.oneIn(12)) this.#at = Math.max(this.#at, Math.min(...due) + chance.between(-1, 1));
    else if (chance.oneIn(100)) this.#at += chance.between(1, 40) * MINUTE;
    else if (chance.oneIn(1_200)) this.#at += chance.between(1, 9) * DAY;
    else this.#at += chance.below(9 * SECOND);
    this.#isAway = chance.oneIn(4) || (this.#at - before > 60 * MINUTE && !chance.oneIn(8));
    return millis(this.#at);
  }

  /** What is heard between two times. */
  *heard(from: Millis, to: Millis): Generator<{ readonly at: Millis; readonly command: Command }> {
    const { terms } = this.#twin;
    if (this.#isAway || terms === undefined) return;
    for (let at = from + MINUTE; at < to; at += MINUTE) yield { at: millis(at), command: { type: 'SetOtcTerms', ...terms } };
  }

  next(): Command {
    const command = this.#next();
    const waits = command.type === 'CreditDeposit' && this.#isBlocked(command.address);
    return waits ? { type: 'RunOtcTimers' } : command;
  }

  /** A deposit of somebody who is blocked waits, of which the twin knows nothing. */
  #isBlocked(address: string): boolean {
    return this.#twin.people.some(({ id, flags }) => personOf(id) === address && flags.has('blocked'));
  }

  #next(): Command {
    const chance = this.#chance;
    // Once more, as a client that has had no answer.
    if (this.#before.length > 0 && chance.oneIn(15)) return chance.pick(this.#before);
    const command = this.#drawn();
    this.#before = [...this.#before.slice(-30), command];
    return command;
  }

  #drawn(): Command {
    const chance = this.#chance;
    const { orders, ads } = this.#twin;
    const kind = chance.below(100);
    if (kind < 8) return this.#prices();
    if (kind < 22) return this.#advertisement();
    if (kind < 30 && ads.length > 0) return this.#change();
    if (kind < 55 && ads.length > 0) return this.#taking();
    if (kind < 86 && orders.length > 0) return this.#step();
    if (kind < 88) return this.#deposit();
    if (kind < 90) return { type: 'RunOtcTimers' };
    if (kind < 94) return this.#money();
    if (kind < 95) return this.#flag();
    return chance.oneIn(12) ? this.#terms() : this.#prices();
  }

  /** One of them takes most of the orders, of others mostly. */
  #taker(advertiser: number): AccountId {
    const taker = this.#chance.oneIn(2) ? this.#favourite : this.#anybody();
    return taker === advertiser && !this.#chance.oneIn(6) ? accountId(1 + (taker % PEOPLE)) : taker;
  }

  #anybody(): AccountId {
    return accountId(this.#chance.between(1, PEOPLE));
  }

  #asset(): AssetId {
    return assetId(this.#chance.pick(ASSETS));
  }

  /** Once in a while one that was used before. */
  #name(): string {
    if (!this.#chance.oneIn(12)) this.#names += 1;
    return `n${this.#names}`;
  }

  #terms(): Command {
    const chance = this.#chance;
    const disputeAfterMs = chance.pick([0, 5 * MINUTE, 30 * MINUTE]);
    return {
      type: 'SetOtcTerms',
      disputeAfterMs,
      autoDisputeMs: disputeAfterMs + chance.pick([1, 20 * MINUTE, DAY]),
      appealWindowMs: chance.pick([1, MINUTE, 60 * MINUTE]),
      holdMs: chance.pick([0, 60 * MINUTE, DAY]),
      depositAsset: assetId(chance.oneIn(5) ? 3 : 1),
      merchantDeposit: atoms(BigInt(chance.between(1, 900))),
    };
  }

  /** Some move a little, some jump, some are left out and grow old. */
  #prices(): Command {
    const chance = this.#chance;
    const all = ASSETS.flatMap((asset) => FIATS.map((currency) => ({ asset: assetId(asset), currency })));
    const prices = all
      .filter(() => !chance.oneIn(4))
      .map((place) => {
        const factor = chance.oneIn(20) ? BigInt(chance.pick([1, 200, 5_000])) : BigInt(chance.between(95, 105));
        return { ...place, price: fiatPrice(((USUAL[place.asset] ?? 1n) * factor) / 100n + 1n) };
      });
    return { type: 'SetAssistPrices', prices };
  }

  #pricing(asset: number): Pricing {
    const chance = this.#chance;
    if (chance.oneIn(2)) return { kind: 'FLOATING', premium: signedPpm(chance.between(-60_000, 60_000)) };
    return { kind: 'FIXED', price: fiatPrice(((USUAL[asset] ?? 1n) * BigInt(chance.between(90, 110))) / 100n + BigInt(chance.below(7))) };
  }

  #changeable(asset: number) {
    const chance = this.#chance;
    const minTotal = BigInt(chance.pick([1, 777, 1_000, 20_000]));
    // Now and then less than the least.
    const maxTotal = minTotal * BigInt(chance.pick([1, 5, 100, 10_000])) - (chance.oneIn(60) ? 1n : 0n);
    return {
      pricing: this.#pricing(asset),
      minTotal: cents(minTotal),
      maxTotal: cents(maxTotal),
      payWindowMs: chance.oneIn(60) ? 0 : chance.pick([15, 30]) * MINUTE,
    };
  }

  /** A part of what somebody has at the beginning, sometimes more. */
  #amount(asset: number, of = 12): bigint {
    const chance = this.#chance;
    const whole = MONEY[asset] ?? 1n;
    if (chance.oneIn(40)) return whole * 3n;
    return chance.oneIn(40) ? 0n : (whole * BigInt(chance.between(1, 1_000))) / BigInt(1_000 * of) + BigInt(chance.below(3));
  }

  #advertisement(): Command {
    const chance = this.#chance;
    const asset = this.#asset();
    return {
      type: 'PublishAdvertisement',
      account: this.#anybody(),
      clientAdvertisementId: this.#name(),
      side: chance.pick(['buy', 'sell', 'sell']),
      asset,
      currency: chance.pick(FIATS),
      ...this.#changeable(asset),
      amount: atoms(this.#amount(asset, 4)),
    };
  }

  #change(): Command {
    const chance = this.#chance;
    const ad = chance.pick(this.#twin.ads.slice(-40));
    const account = chance.oneIn(20) ? this.#anybody() : accountId(ad.account);
    const advertisement = advertisementId(ad.id);
    if (chance.oneIn(2))
      return { type: 'SetAdvertisementState', account: chance.oneIn(15) ? 0 : account, advertisement, state: chance.pick(SETTABLE_STATES) };
    const change = { type: 'UpdateAdvertisement' as const, account, advertisement, ...this.#changeable(ad.asset) };
    const named = chance.oneIn(3) ? change : { ...change, amount: atoms(this.#amount(ad.asset, 4)) };
    return chance.oneIn(2) ? named : { ...named, version: chance.oneIn(3) ? ad.version - 1 : ad.version };
  }

  /** Within the limits mostly, at the price that would be right, or a bit better or worse. */
  #taking(): Command {
    const chance = this.#chance;
    const open = this.#twin.ads.filter(({ state }) => state === 'PUBLISHED');
    const ad = chance.pick(open.length > 0 && !chance.oneIn(25) ? open : this.#twin.ads);
    const usual = ad.pricing.kind === 'FIXED' ? ad.pricing.price : (USUAL[ad.asset] ?? 1n);
    const price = (usual * BigInt(ad.side === 'sell' ? chance.between(99, 112) : chance.between(88, 101))) / 100n;
    const room = ad.maxTotal > ad.minTotal * 20n ? ad.minTotal * 20n : ad.maxTotal;
    const total = chance.oneIn(12) ? ad.minTotal - 1n : ad.minTotal + (room - ad.minTotal) / BigInt(chance.between(1, 9));
    const amount = chance.oneIn(12) ? ad.available : this.#amount(ad.asset);
    const byTotal = chance.oneIn(2);
    return {
      type: 'CreateOtcOrder',
      account: this.#taker(ad.account),
      clientOrderId: this.#name(),
      advertisement: advertisementId(chance.oneIn(60) ? 999_999 : ad.id),
      amount: byTotal ? NO_ATOMS : atoms(amount),
      total: byTotal ? cents(total < 0n ? 0n : total) : NO_CENTS,
      price: fiatPrice(price),
    };
  }

  /** What somebody would do next, or another thing, or somebody else. */
  #step(): Command {
    const chance = this.#chance;
    const live = this.#twin.orders.filter(({ status }) => status === 'CREATED' || status === 'PAID' || status === 'DISPUTED');
    const one = chance.pick(live.length > 0 && !chance.oneIn(12) ? live : this.#twin.orders);
    const order = otcOrderId(chance.oneIn(80) ? 999_999 : one.id);
    const account = chance.oneIn(30) ? this.#anybody() : accountId(chance.oneIn(2) ? one.buyer : one.seller);
    const usual = {
      CREATED: ['MarkOtcOrderPaid', this.#isFickle ? 'CancelOtcOrder' : 'MarkOtcOrderPaid', 'CancelOtcOrder'],
      PAID: ['ReleaseOtcOrder', 'ReleaseOtcOrder', 'DisputeOtcOrder', 'CancelOtcOrder'],
    };
    const steps = usual[one.status as keyof typeof usual] ?? [
      'DecideOtcDispute',
      'AppealOtcDecision',
      'DecideOtcDispute',
      'PayFromMerchantDeposit',
    ];
    const type = chance.oneIn(12) ? chance.pick([...usual.CREATED, ...usual.PAID, 'AppealOtcDecision']) : chance.pick(steps);
    if (type === 'DecideOtcDispute')
      return { type, order, outcome: chance.pick(DISPUTE_OUTCOMES), nth: (one.appealedBy === 0) === chance.oneIn(8) ? 2 : 1 };
    if (type === 'PayFromMerchantDeposit') return { type, key: this.#name(), order, amount: atoms(BigInt(chance.below(900))) };
    return { type: type as 'MarkOtcOrderPaid', account, order };
  }

  #deposit(): Command {
    const chance = this.#chance;
    return { type: chance.pick(['DepositAsMerchant', 'ReturnMerchantDeposit']), account: this.#anybody(), key: this.#name() };
  }

  /** Deposits that come, leave the chain and come back, and what people send each other. */
  #money(): Command {
    const chance = this.#chance;
    const newcomer = this.#twin.orders.findLast(({ status, isNew }) => status === 'RELEASED' && isNew);
    const isOfNewcomer = newcomer !== undefined && chance.oneIn(2);
    const account = isOfNewcomer ? accountId(newcomer.buyer) : this.#anybody();
    const asset = isOfNewcomer ? assetId(newcomer.asset) : this.#asset();
    const to = personOf(1 + (account % PEOPLE));
    if (chance.oneIn(2)) {
      const withdrawalId = `0x${(this.#names += 1).toString(16).padStart(64, '0')}`;
      return {
        type: 'WithdrawInternally',
        account,
        withdrawalId,
        asset,
        amount: atoms(1n + (this.#twin.money(account, asset) * BigInt(chance.pick([1, 9, 40, 96, 100, 110]))) / 100n),
        to,
      };
    }
    if (this.#gone.length > 0 && chance.oneIn(2)) return this.#gone.shift()!;
    const key = `opening:${account}:${asset}`;
    const credit: Command = { type: 'CreditDeposit', key, address: personOf(account), asset, amount: atoms(MONEY[asset] ?? 0n) };
    if (!chance.oneIn(10)) return credit;
    this.#gone.push(credit);
    return { type: 'SuspendDeposit', key };
  }

  /** Mostly so that everybody may trade. */
  #flag(): Command {
    const chance = this.#chance;
    const flag = chance.pick(['termsAccepted', 'whitelisted', 'blocked'] as const);
    const value = chance.oneIn(9) === (flag === 'blocked');
    return { type: 'SetAccountFlag', account: this.#anybody(), flag, value };
  }
}
