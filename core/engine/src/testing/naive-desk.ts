/**
 * The OTC desk again, as plainly as it can be written: lists that are searched, sums that are added up each time, rules in the order of the documents. It knows funding wallets alone.
 * Numbers of refusals are left out.
 */
import type { Command, Event } from '@orrery/protocol';
import { DAY, NaiveAdvertisements, type Ad, type Of } from './naive-advertisements.ts';

const WEEK = 7 * DAY;
const LIVE = ['CREATED', 'PAID', 'DISPUTED'];

interface Order {
  readonly id: number;
  readonly ad: number;
  readonly advertiser: number;
  readonly taker: number;
  readonly buyer: number;
  readonly seller: number;
  readonly asset: number;
  readonly amount: bigint;
  readonly isNew: boolean;
  deadline: number;
  status: string;
  by: number;
  steppedAt: number;
  /** Of the terms at the payment. */
  paid: { opensAt: number; ownAt: number } | undefined;
  decision: string | undefined;
  /** Of one that was appealed. */
  firstDecision: string | undefined;
  executesAt: number;
  appealedBy: number;
  endedAt: number;
  isCompensated: boolean;
}

export class NaiveDesk extends NaiveAdvertisements {
  readonly orders: Order[] = [];
  readonly deposits: { account: number; asset: number; amount: bigint }[] = [];
  readonly prices: { asset: number; currency: string; price: bigint; at: number }[] = [];
  lastOrder = 0;
  /** Of the last command that was not refused. */
  heardAt = 0;

  /** The others make nothing at the desk: assets, accounts and rules are there before it. */
  static knows({ type }: Command): boolean {
    return !['UpgradeRules', 'RegisterAsset', 'OpenAccount'].includes(type);
  }

  /** OT1, added up from everything that lies there. */
  escrow(asset: number): bigint {
    const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((one, other) => one + other, 0n);
    return (
      sum(
        this.ads.filter((ad) => ad.side === 'sell' && ad.asset === asset && ad.state !== 'TAKEN_DOWN').map(({ available }) => available),
      ) +
      sum(this.orders.filter((order) => order.asset === asset && LIVE.includes(order.status)).map(({ amount }) => amount)) +
      sum(this.deposits.filter((one) => one.asset === asset).map(({ amount }) => amount))
    );
  }

  /** What is due next, and when: an order, or an advertisement that is forgotten. */
  dueOf(order: Order): number {
    switch (order.status) {
      case 'CREATED':
        return order.deadline;
      case 'PAID':
        return order.paid!.ownAt;
      case 'DISPUTED':
        return order.decision === undefined ? Infinity : order.executesAt;
      default:
        return order.endedAt + WEEK;
    }
  }

  apply(at: number, command: Command): readonly Event[] {
    this.at = at;
    this.events = [];
    const before = new Map(this.funding);
    const wasAway = this.wasAway();
    this.decide(command);
    if (this.terms !== undefined && this.events[0]?.type !== 'CommandRejected' && !wasAway) this.heardAt = at;
    const changed = [...this.funding].filter(([key, amount]) => amount !== (before.get(key) ?? 0n));
    const rows = changed.map(([key, free]) => ({ numbers: key.split(' ').map(Number), free }));
    rows.sort((left, right) => left.numbers[0]! - right.numbers[0]! || left.numbers[1]! - right.numbers[1]!);
    for (const { numbers, free } of rows)
      this.emit({ type: 'BalanceChanged', account: numbers[0], wallet: 'funding', asset: numbers[1], free, held: 0n });
    return this.events;
  }

  decide(command: Command): void {
    switch (command.type) {
      case 'SetAccountFlag':
        this.person(command.account).flags[command.value ? 'add' : 'delete'](command.flag);
        return this.emit({ ...command, type: 'AccountFlagSet' });
      case 'CreditDeposit':
        return this.credit(command);
      case 'SuspendDeposit':
        return this.suspend(command.key);
      case 'WithdrawInternally':
        return this.withdraw(command);
      case 'SetOtcTerms': {
        const { type: _, ...terms } = command;
        this.terms = terms;
        return this.emit({ ...terms, type: 'OtcTermsSet' });
      }
      case 'SetAssistPrices': {
        if (command.prices.length === 0) return this.refuse('InvalidField', 'prices');
        for (const price of command.prices) {
          const place = this.prices.findIndex(({ asset, currency }) => asset === price.asset && currency === price.currency);
          if (place >= 0) this.prices.splice(place, 1);
          this.prices.push({ ...price, at: this.at });
        }
        return this.emit({ type: 'AssistPricesSet', at: this.at, prices: command.prices });
      }
      case 'PublishAdvertisement':
        return this.publish(command);
      case 'UpdateAdvertisement':
        return this.update(command);
      case 'SetAdvertisementState':
        return this.setState(command);
      case 'CreateOtcOrder':
        return this.create(command);
      case 'MarkOtcOrderPaid':
      case 'ReleaseOtcOrder':
      case 'CancelOtcOrder':
      case 'DisputeOtcOrder':
        return this.step(command);
      case 'DecideOtcDispute':
        return this.judge(command);
      case 'AppealOtcDecision':
        return this.appeal(command);
      case 'DepositAsMerchant':
        return this.deposit(command);
      case 'ReturnMerchantDeposit':
        return this.return(command);
      case 'PayFromMerchantDeposit':
        return this.compensate(command);
      case 'RunOtcTimers':
        return this.run();
      default:
        throw new Error(`the naive desk does not know ${command.type}`);
    }
  }

  // ---- orders ------------------------------------------------------------------------------------------------------

  create(command: Of<'CreateOtcOrder'>): void {
    const { account, clientOrderId, advertisement, amount: asked, total: askedTotal, price: seen } = command;
    const key = `order ${account} ${clientOrderId}`;
    const body = [advertisement, asked, askedTotal, seen].join();
    const made = this.made.get(key);
    if (made?.body === body) return this.repeat(made.id);
    if (asked > 0n === askedTotal > 0n) return this.refuse('InvalidCombination', 'total');
    if (seen < 1n) return this.refuse('InvalidField', 'price');
    const ad = this.ads.find(({ id }) => id === advertisement);
    if (ad === undefined) return this.refuse('UnknownAdvertisement', 'advertisement');
    if (this.mayNotBegin(account) || (ad.side === 'buy' && this.mayNotSell(account))) return;
    if (ad.account === account) return this.refuse('OwnAdvertisement', 'advertisement');
    const isAway = this.is(ad.account, 'blocked') || (ad.side === 'sell' ? this.hasOrphan(ad.account) : this.isPaused(ad.account));
    if (ad.state !== 'PUBLISHED' || isAway) return this.refuse('AdvertisementNotOpen', 'advertisement');
    if (this.isPaused(account)) return this.refuse('OtcPaused', 'account');
    const most = this.person(account).finished === 0 ? 3 : 20;
    if (this.orders.filter((order) => order.taker === account && LIVE.includes(order.status)).length >= most)
      return this.refuse('TooManyOtcOrders');
    const price = this.priceNow(ad);
    if (price === undefined) return this.refuse('AssistPriceStale', 'advertisement');
    if (ad.side === 'sell' ? price > seen : price < seen) return this.refuse('OtcPriceMoved', 'price');
    const amount = asked > 0n ? asked : this.buys(ad, askedTotal, price);
    const total = askedTotal > 0n ? askedTotal : this.costs(ad, asked, price);
    if (total < ad.minTotal || total > ad.maxTotal) return this.refuse('OtcTotalOutside', 'total');
    if (amount > ad.available) return this.refuse('OtcTotalOutside', 'amount');
    if (amount === 0n) return this.refuse('InvalidAmount', 'amount');
    if (made !== undefined) return this.refuse('KeyConflict', 'clientOrderId');
    if (ad.side === 'buy' && this.isUnfunded(account, ad.asset, amount)) return;
    this.lastOrder += 1;
    const [buyer, seller] = ad.side === 'sell' ? [account, ad.account] : [ad.account, account];
    const order: Order = {
      id: this.lastOrder,
      ad: ad.id,
      advertiser: ad.account,
      taker: account,
      buyer,
      seller,
      asset: ad.asset,
      amount,
      isNew: this.person(buyer).finished === 0,
      deadline: this.at + ad.payWindowMs,
      status: 'CREATED',
      by: account,
      steppedAt: this.at,
      paid: undefined,
      decision: undefined,
      firstDecision: undefined,
      executesAt: 0,
      appealedBy: 0,
      endedAt: 0,
      isCompensated: false,
    };
    this.orders.push(order);
    this.made.set(key, { id: `${order.id}`, body });
    ad.available -= amount;
    if (ad.side === 'buy') this.add(seller, ad.asset, 0n - amount);
    this.emit({
      type: 'OtcOrderCreated',
      order: order.id,
      clientOrderId,
      advertisement: ad.id,
      advertiser: ad.account,
      taker: account,
      buyer,
      seller,
      asset: ad.asset,
      amount,
      currency: ad.currency,
      price,
      total,
      createdAt: this.at,
      coinsAreHeld: order.isNew,
      deadline: order.deadline,
    });
    this.settle(ad);
  }

  buys({ side, asset }: Ad, total: bigint, price: bigint): bigint {
    const units = total * this.cent(asset);
    const part = units % price;
    return (units - part) / price + (side === 'buy' && part > 0n ? 1n : 0n);
  }

  priceNow({ pricing, asset, currency }: Ad): bigint | undefined {
    if (pricing.kind === 'FIXED') return pricing.price;
    const assist = this.prices.find((one) => one.asset === asset && one.currency === currency);
    if (assist === undefined || this.at - assist.at > 60_000) return undefined;
    const exact = assist.price * BigInt(1_000_000 + pricing.premium);
    const rest = exact % 1_000_000n;
    return (exact - rest) / 1_000_000n + (rest >= 500_000n ? 1n : 0n);
  }

  step({ type, account, order: id }: Of<'MarkOtcOrderPaid' | 'ReleaseOtcOrder' | 'CancelOtcOrder' | 'DisputeOtcOrder'>): void {
    const order = this.orders.find((one) => one.id === id);
    if (order === undefined) return this.refuse('UnknownOtcOrder', 'order');
    if (account !== order.buyer && account !== order.seller) return this.refuse('NotPartyOfOrder', 'account');
    if (this.mayNotStep(account)) return;
    const isBuyer = account === order.buyer;
    if ((type === 'MarkOtcOrderPaid' || type === 'CancelOtcOrder') && !isBuyer) return this.refuse('NotPartyOfOrder', 'account');
    if (type === 'ReleaseOtcOrder' && isBuyer) return this.refuse('NotPartyOfOrder', 'account');
    const to = { MarkOtcOrderPaid: 'PAID', ReleaseOtcOrder: 'RELEASED', CancelOtcOrder: 'CANCELLED', DisputeOtcOrder: 'DISPUTED' }[type];
    if (order.status === to && (order.by === account || to === 'RELEASED')) return this.repeat(`${id}`);
    const from = {
      MarkOtcOrderPaid: ['CREATED'],
      ReleaseOtcOrder: ['PAID'],
      CancelOtcOrder: ['CREATED', 'PAID'],
      DisputeOtcOrder: ['PAID'],
    }[type];
    if (!from.includes(order.status) || this.dueOf(order) <= this.at) return this.refuse('OtcOrderNotInState', 'status');
    if (type === 'MarkOtcOrderPaid') {
      order.paid = { opensAt: this.at + this.terms!.disputeAfterMs, ownAt: this.at + this.terms!.autoDisputeMs };
      this.move(order, 'PAID', account);
    } else if (type === 'DisputeOtcOrder') {
      if (this.at < order.paid!.opensAt) return this.refuse('OtcTooSoon', 'order');
      this.move(order, 'DISPUTED', account);
    } else if (type === 'ReleaseOtcOrder') this.release(order, account);
    else {
      this.countCancel(account);
      this.giveBack(order, account, 'CANCELLED');
    }
  }

  release(order: Order, by: number): void {
    order.endedAt = this.at;
    this.add(order.buyer, order.asset, order.amount);
    for (const side of [order.buyer, order.seller]) this.person(side).finished += 1;
    const until = order.isNew && this.terms!.holdMs > 0 ? this.at + this.terms!.holdMs : 0;
    if (until > 0) this.holds.push({ account: order.buyer, asset: order.asset, amount: order.amount, until });
    this.move(order, 'RELEASED', by, until);
  }

  giveBack(order: Order, by: number, status: string): void {
    order.endedAt = this.at;
    const ad = this.ads.find((one) => one.id === order.ad && one.state !== 'TAKEN_DOWN');
    if (ad?.side !== 'sell') this.add(order.seller, order.asset, order.amount);
    this.move(order, status, by);
    if (ad === undefined) return;
    ad.available += order.amount;
    this.settle(ad);
  }

  move(order: Order, status: string, by: number, heldUntil = 0): void {
    Object.assign(order, { status, by, steppedAt: this.at });
    const due = this.dueOf(order);
    const { id, ad, buyer, seller, asset, amount } = order;
    this.emit({
      type: 'OtcOrderStepped',
      order: id,
      advertisement: ad,
      buyer,
      seller,
      asset,
      amount,
      status,
      by,
      at: this.at,
      disputableAt: status === 'PAID' ? order.paid!.opensAt : 0,
      deadline: LIVE.includes(status) && due < Infinity ? due : 0,
      heldUntil,
    });
  }

  judge({ order: id, outcome, nth }: Of<'DecideOtcDispute'>): void {
    const order = this.orders.find((one) => one.id === id);
    if (order === undefined) return this.refuse('UnknownOtcOrder', 'order');
    const made = order.appealedBy === 0 ? order.decision : nth === 2 ? order.decision : order.firstDecision;
    if (made === outcome && (nth === 1 || order.appealedBy !== 0)) return this.repeat(`${id}`);
    if (order.status !== 'DISPUTED' || this.dueOf(order) <= this.at) return this.refuse('OtcOrderNotInState', 'status');
    if (order.decision !== undefined || (nth === 2) !== (order.appealedBy !== 0)) return this.refuse('OtcOrderNotInState', 'decision');
    order.decision = outcome;
    const { buyer, seller } = order;
    order.executesAt = order.appealedBy === 0 ? this.at + this.terms!.appealWindowMs : 0;
    this.emit({ type: 'OtcDisputeDecided', order: id, buyer, seller, outcome, executesAt: order.executesAt });
    if (order.appealedBy !== 0) this.execute(order);
  }

  execute(order: Order): void {
    if (order.decision === 'RELEASED') this.release(order, 0);
    else this.giveBack(order, 0, 'RETURNED');
  }

  appeal({ account, order: id }: Of<'AppealOtcDecision'>): void {
    const order = this.orders.find((one) => one.id === id);
    if (order === undefined) return this.refuse('UnknownOtcOrder', 'order');
    if (account !== order.buyer && account !== order.seller) return this.refuse('NotPartyOfOrder', 'account');
    if (this.mayNotStep(account)) return;
    if (order.appealedBy === account) return this.repeat(`${id}`);
    if (order.status !== 'DISPUTED' || this.dueOf(order) <= this.at) return this.refuse('OtcOrderNotInState', 'status');
    if (order.decision === undefined || order.appealedBy !== 0) return this.refuse('OtcOrderNotInState', 'decision');
    if (account !== this.loserOf(order)) return this.refuse('NotPartyOfOrder', 'account');
    Object.assign(order, { firstDecision: order.decision, decision: undefined, appealedBy: account });
    this.emit({ type: 'OtcDecisionAppealed', order: id, by: account });
  }

  loserOf({ decision, buyer, seller }: Order): number | undefined {
    return decision === undefined ? undefined : decision === 'RELEASED' ? seller : buyer;
  }

  // ---- deposits of merchants ---------------------------------------------------------------------------------------

  deposit({ account, key }: Of<'DepositAsMerchant'>): void {
    if (this.made.has(`deposit ${account} ${key}`)) return this.repeat(key);
    if (this.mayNotBegin(account) || this.mayNotSell(account)) return;
    if (this.terms === undefined) return this.refuse('OtcClosed');
    const { depositAsset: asset, merchantDeposit: whole } = this.terms;
    const there = this.deposits.find((one) => one.account === account);
    if (there !== undefined && there.asset !== asset) return this.refuse('OtcNotIdle', 'account');
    const missing = whole - (there?.amount ?? 0n);
    if (missing <= 0n) return this.repeat(key);
    if (this.isUnfunded(account, asset, missing)) return;
    this.made.set(`deposit ${account} ${key}`, { id: key, body: '' });
    if (there === undefined) this.deposits.push({ account, asset, amount: whole });
    else there.amount = whole;
    this.add(account, asset, -missing);
    this.emit({ type: 'MerchantDeposited', account, key, asset, amount: whole });
  }

  return({ account, key }: Of<'ReturnMerchantDeposit'>): void {
    if (this.made.has(`return ${account} ${key}`)) return this.repeat(key);
    if (this.mayNotStep(account)) return;
    const there = this.deposits.find((one) => one.account === account);
    if (there === undefined) return this.refuse('UnknownMerchant', 'account');
    const isBusy =
      this.ads.some((ad) => ad.account === account && ad.state !== 'TAKEN_DOWN') ||
      this.orders.some((order) => LIVE.includes(order.status) && (order.advertiser === account || order.taker === account)) ||
      this.orders.some((order) => this.loserOf(order) === account && !order.isCompensated);
    if (isBusy) return this.refuse('OtcNotIdle', 'account');
    this.made.set(`return ${account} ${key}`, { id: key, body: '' });
    this.deposits.splice(this.deposits.indexOf(there), 1);
    this.add(account, there.asset, there.amount);
    this.emit({ type: 'MerchantDepositReturned', key, ...there });
  }

  compensate({ key, order: id, amount }: Of<'PayFromMerchantDeposit'>): void {
    const made = this.made.get(`payment ${key}`);
    if (made?.body === `${id} ${amount}`) return this.repeat(key);
    if (amount < 1n) return this.refuse('InvalidAmount', 'amount');
    const order = this.orders.find((one) => one.id === id);
    if (order === undefined) return this.refuse('UnknownOtcOrder', 'order');
    const loser = LIVE.includes(order.status) ? undefined : this.loserOf(order);
    if (loser === undefined || order.isCompensated) return this.refuse('OtcOrderNotInState', 'status');
    const there = this.deposits.find((one) => one.account === loser);
    if (there === undefined) return this.refuse('UnknownMerchant', 'order');
    if (made !== undefined) return this.refuse('KeyConflict', 'key');
    if (amount > there.amount) return this.refuse('InsufficientBalance', 'amount');
    this.made.set(`payment ${key}`, { id: key, body: `${id} ${amount}` });
    there.amount -= amount;
    if (there.amount === 0n) this.deposits.splice(this.deposits.indexOf(there), 1);
    order.isCompensated = true;
    const recipient = loser === order.buyer ? order.seller : order.buyer;
    this.add(recipient, there.asset, amount);
    this.emit({ type: 'MerchantDepositPaid', key, order: id, account: loser, recipient, asset: there.asset, amount, left: there.amount });
  }

  expire(order: Order): void {
    this.countCancel(order.buyer);
    this.giveBack(order, 0, 'EXPIRED');
  }

  countCancel(account: number): void {
    const person = this.person(account);
    person.cancels = [...person.cancels.filter((at) => at + DAY > this.at), this.at];
    if (person.cancels.length >= 5) Object.assign(person, { cancels: [], pausedUntil: this.at + DAY });
  }

  // ---- time --------------------------------------------------------------------------------------------------------

  wasAway(at = this.at): boolean {
    return at - this.heardAt > 60_000 && this.orders.some(({ status }) => LIVE.includes(status));
  }

  /** What is ahead of the last command comes later by the time since; a dispute that could be opened stays. */
  later(time: number): number {
    return time > this.heardAt ? time + this.at - this.heardAt : time;
  }

  comeBack(): void {
    for (const order of this.orders.filter(({ status }) => LIVE.includes(status))) {
      order.deadline = this.later(order.deadline);
      order.executesAt = this.later(order.executesAt);
      if (order.paid !== undefined) order.paid = { opensAt: this.later(order.paid.opensAt), ownAt: this.later(order.paid.ownAt) };
    }
    this.emit({ type: 'OtcDeadlinesMoved', since: this.heardAt, by: this.at - this.heardAt });
    this.heardAt = this.at;
  }

  run(): void {
    if (this.wasAway()) this.comeBack();
    for (let step = 0; step < 16; step += 1) {
      const order = this.orders
        .filter((one) => this.dueOf(one) <= this.at)
        .sort((left, right) => this.dueOf(left) - this.dueOf(right) || left.id - right.id)[0];
      const old = this.ads
        .filter((ad) => ad.downAt + WEEK <= this.at)
        .sort((left, right) => left.downAt - right.downAt || left.id - right.id)[0];
      if (order === undefined && old === undefined) return;
      if (order === undefined) this.ads.splice(this.ads.indexOf(old!), 1);
      else if (order.status === 'CREATED') this.expire(order);
      else if (order.status === 'PAID') this.move(order, 'DISPUTED', 0);
      else if (order.status === 'DISPUTED') this.execute(order);
      else this.orders.splice(this.orders.indexOf(order), 1);
    }
  }
}
