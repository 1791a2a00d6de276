/**
 * Funds a second time, by commands and events alone: what a fund is worth, who gets how many shares and how much money, who pays which fee, and when a fund ends. It knows
 * balances, positions and prices only from the events that speak of them.
 */
import { assert } from '@orrery/units';
import type { Command, Event, FundEnd } from '@orrery/protocol';

interface Waiting {
  readonly account: number;
  readonly key: string;
  readonly interval: number;
  amount: bigint;
}

interface Saver {
  mark: bigint;
  lockedUntil: number;
}

interface NaiveFund {
  readonly fund: number;
  readonly account: number;
  readonly leader: number;
  readonly asset: number;
  capacity: bigint;
  worth: bigint;
  subscriptions: Waiting[];
  redemptions: Waiting[];
  savers: Map<number, Saver>;
  month: string;
  silent: number;
  isLiquidated: boolean;
  end: FundEnd | undefined;
  /** Of the valuation whose steps go on. */
  batch: { worth: bigint; shares: bigint; interval: number } | undefined;
  /** What the batch has executed, and whether it has sold or was interrupted: then its worth says nothing of its steps. */
  moved: { subscriptions: number; redemptions: number; isAlone: boolean };
  fees: Extract<Event, { type: 'FundFeeTaken' }>[];
  paid: Extract<Event, { type: 'FundPaidOut' }>[];
  closingSince: number;
  /** When it began to close, or to pay its last round. */
  roundAt: number;
  /** The cash of the round whose steps go on, and whom it has paid. */
  round: { pot: bigint; paid: number[] } | undefined;
  /** What was brought to the funding wallet within this command. */
  gathered: bigint;
  /** At its last minute of closing. */
  closedAt: number;
  /** Nothing but its own work has happened since its last valuation. */
  isJustValued: boolean;
}

/** Of a contract, or of a spot market by its index. */
interface Priced {
  price: bigint;
  at: number;
  isReady: boolean;
}

interface Terms {
  readonly quote: number;
  readonly base: number;
  readonly lotAtoms: bigint;
  readonly tickLotAtoms: bigint;
}

const FRESH_MS = 30_000;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const E9 = 1_000_000_000n;
const WALLETS = ['funding', 'spot', 'futures', 'coinFutures'];
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);
const key = (...words: (string | number)[]): string => words.join(' ');

export class NaiveFunds {
  readonly #funds = new Map<number, NaiveFund>();
  readonly #balances = new Map<string, { free: bigint; held: bigint }>();
  readonly #positions = new Map<string, { account: number; market: number; size: bigint; cost: bigint }>();
  readonly #contracts = new Map<number, { tickLotAtoms: bigint; prices: Priced }>();
  readonly #spots = new Map<number, Terms & { prices: Priced }>();
  readonly #blocked = new Set<number>();
  /** Funds that this command has ended. */
  readonly #over: NaiveFund[] = [];
  /** How often each thing was seen. */
  readonly seen = new Map<string, number>();

  /** A command that was applied, with its events. */
  follow(at: number, command: Command, events: readonly Event[]): void {
    for (const fund of this.#funds.values()) {
      fund.gathered = 0n;
      if (command.type !== 'ContinueFund') fund.isJustValued = command.type === 'ValueFund' && command.fund === fund.fund;
    }
    if (command.type === 'ValueFund') this.#value(at, command, events);
    if (command.type === 'SubscribeToFund') this.#checkFull(command, events);
    for (const event of events) this.#step(at, event);
    this.#hear(command, events);
    for (const event of events) this.#take(at, event);
    for (const fund of this.#over.splice(0)) {
      assert(this.#isSold(fund, at), 'a fund ends when everything is sold that somebody buys');
      if ([...this.#spots.values()].some(({ base, lotAtoms }) => this.#total(fund.account, base) >= lotAtoms))
        this.#count('ended with coins');
    }
  }

  /** Nothing is left over: what a valuation had to do it has done. */
  drained(at: number): void {
    for (const fund of this.#funds.values()) {
      if (fund.batch !== undefined && fund.end === undefined) this.#finish(fund, at);
      if (fund.end !== undefined) this.#checkRounds(fund, at);
    }
  }

  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  #balance(account: number, wallet: string, asset: number): { free: bigint; held: bigint } {
    return this.#balances.get(key(account, wallet, asset)) ?? { free: 0n, held: 0n };
  }

  #total(account: number, asset: number): bigint {
    return WALLETS.reduce((sum, wallet) => {
      const { free, held } = this.#balance(account, wallet, asset);
      return sum + free + held;
    }, 0n);
  }

  #allShares(fund: number): bigint {
    let all = 0n;
    for (const [place, { free, held }] of this.#balances) if (place.endsWith(` funding ${fund}`)) all += free + held;
    return all;
  }

  /** Worth at the last prices, below zero too, and the first market whose price is not fresh. */
  #worth({ account, asset }: NaiveFund, at: number): { worth: bigint; stale: number | undefined } {
    let worth = this.#total(account, asset);
    let stale: number | undefined;
    const own = [...this.#positions.values()].filter((one) => one.account === account && one.size !== 0n);
    for (const { market, size, cost } of own.sort((left, right) => left.market - right.market)) {
      const contract = this.#contracts.get(market);
      assert(contract !== undefined, 'a position is of a contract');
      const value = contract.prices.price * (size < 0n ? -size : size) * contract.tickLotAtoms;
      worth += size > 0n ? value - cost : cost - value;
      if (!contract.prices.isReady || at - contract.prices.at > FRESH_MS) stale ??= market;
    }
    for (const [market, { base, quote, lotAtoms, tickLotAtoms, prices }] of this.#spots) {
      const amount = quote === asset ? this.#total(account, base) : 0n;
      if (amount === 0n) continue;
      worth += (amount * prices.price * tickLotAtoms) / lotAtoms;
      if (amount >= lotAtoms && (prices.price === 0n || at - prices.at > FRESH_MS)) stale ??= market;
    }
    return { worth, stale };
  }

  #checkFull({ fund: id, account, amount }: Extract<Command, { type: 'SubscribeToFund' }>, [first]: readonly Event[]): void {
    const fund = this.#funds.get(id);
    if (fund === undefined || first?.type !== 'CommandRejected' || first.reason !== 'FundFull') return;
    assert(!this.#fits(fund, account, amount), 'what has room is taken');
    this.#count(fund.worth + queuedOf(fund) + amount > fund.capacity ? 'full by its capacity' : 'full beside its leader');
  }

  /** Whether a subscription and all before it, at the last price, leave the fund below its capacity and the leader its 5 %. */
  #fits(fund: NaiveFund, account: number, amount: bigint): boolean {
    const all = queuedOf(fund) + amount;
    if (fund.worth + all > fund.capacity) return false;
    const issued = this.#issued(fund);
    const leaving = fund.redemptions.reduce((sum, one) => (one.account === fund.leader ? sum + one.amount : sum), 0n);
    const coming = fund.subscriptions.reduce((sum, one) => (one.account === fund.leader ? sum + one.amount : sum), 0n);
    const kept = this.#holds(fund, fund.leader) - leaving + (coming * issued) / fund.worth;
    return account === fund.leader || (kept * 20n - issued) * fund.worth >= all * issued;
  }

  #value(at: number, command: Extract<Command, { type: 'ValueFund' }>, events: readonly Event[]): void {
    const fund = this.#funds.get(command.fund);
    if (fund === undefined || events[0]?.type === 'CommandRejected' || events[0]?.type === 'CommandRepeated') return;
    fund.silent += 1;
    const before = this.#worth(fund, at);
    // Funding is paid before the fund is valued; what that changes is said at the end of the command.
    const paid = events.reduce(
      (sum, event) => (event.type === 'FundingPaid' && event.account === fund.account ? sum + event.amount : sum),
      0n,
    );
    const { stale } = before;
    const worth = before.worth + paid > 0n ? before.worth + paid : 0n;
    const shares = this.#allShares(fund.fund);
    const closing = events.find((event) => event.type === 'FundClosing');
    if (fund.end !== undefined) fund.closedAt = at;
    if (fund.end !== undefined) return;
    const expected = fund.isLiquidated
      ? 'liquidated'
      : this.#blocked.has(fund.account)
        ? 'blocked'
        : fund.silent > 6
          ? 'silent'
          : undefined;
    const isWorthless = expected === undefined && stale === undefined && (worth * E9) / shares === 0n;
    assert(closing?.reason === (expected ?? (isWorthless ? 'worthless' : undefined)), `fund ${fund.fund} closes for a reason: ${expected}`);
    const valued = events.find((event) => event.type === 'FundValued');
    const missed = events.find((event) => event.type === 'FundValuationMissed');
    if (expected !== undefined) return;
    assert(missed?.market === stale, `a price is stale: ${stale}, not ${missed?.market}`);
    if (stale !== undefined) return this.#count('stale');
    assert(valued !== undefined, 'with fresh prices a fund is valued');
    const nav = (worth * E9) / shares;
    assert(
      valued.worth === worth && valued.shares === shares && valued.nav === nav,
      `worth ${worth} by ${shares}, not ${valued.worth} by ${valued.shares}`,
    );
    this.#count('valued');
    fund.worth = worth;
    fund.batch = isWorthless ? undefined : { worth, shares, interval: command.interval };
    fund.moved = { subscriptions: 0, redemptions: 0, isAlone: true };
    fund.fees = [];
  }

  #step(at: number, event: Event): void {
    const fund = 'fund' in event && event.type !== 'FundOpened' ? this.#funds.get(event.fund) : undefined;
    if (fund === undefined) return;
    switch (event.type) {
      case 'FundSubscriptionQueued': {
        const { account, subscriptionId, amount, interval } = event;
        assert(amount >= 10_000_000n, 'the least is 10 units');
        assert(this.#fits(fund, account, amount), 'what is queued has room beside the leader and below the capacity');
        fund.subscriptions.push({ account, key: subscriptionId, amount, interval: firstAfter(at, interval) });
        return;
      }
      case 'FundRedemptionQueued': {
        const { account, redemptionId, shares, interval } = event;
        assert(at >= (fund.savers.get(account)?.lockedUntil ?? 0), 'shares are locked for a day');
        fund.redemptions.push({ account, key: redemptionId, amount: shares, interval: firstAfter(at, interval) });
        return;
      }
      case 'FundSubscribed':
        return this.#subscribed(fund, at, event);
      case 'FundSubscriptionReturned':
        return this.#subscriptionReturned(fund, event);
      case 'FundRedeemed':
        return this.#redeemed(fund, event);
      case 'FundRedemptionReturned': {
        const first = fund.redemptions.shift();
        assert(first?.key === event.redemptionId && first.amount === event.shares, 'redemptions come in their order');
        return this.#count(`redemption returned ${event.reason}`);
      }
      case 'FundFeeTaken':
        fund.fees.push(event);
        return;
      case 'FundReducing':
        fund.moved.isAlone = false;
        assert(event.shares === fund.redemptions.reduce((sum, { amount }) => sum + amount, 0n), 'it sells for all that waits');
        return this.#count('reducing');
      case 'FundClosing':
        fund.end = event.reason;
        fund.batch = undefined;
        [fund.closingSince, fund.roundAt, fund.closedAt] = [at, at, at];
        return this.#count(`closing ${event.reason}`);
      case 'FundMoneyMoved':
        if (event.asset === fund.asset && event.to === 'funding') fund.gathered += event.amount;
        return;
      case 'FundPaidOut':
        if (event.shares === 0n) return this.#paidInRound(fund, at, event);
        fund.paid.push(event);
        return;
      case 'FundEnded':
        return this.#ended(fund, event);
      case 'FundCapacitySet':
        fund.capacity = event.capacity;
        return;
      default:
    }
  }

  /** Shares of the fund now: the events of balances come at the end of a command. */
  #issued(fund: NaiveFund): bigint {
    return this.#shares.get(fund.fund) ?? 0n;
  }

  readonly #shares = new Map<number, bigint>();
  readonly #ofHolder = new Map<string, bigint>();

  #holds(fund: NaiveFund, account: number): bigint {
    return this.#ofHolder.get(key(fund.fund, account)) ?? 0n;
  }

  #give(fund: NaiveFund, account: number, shares: bigint): void {
    this.#ofHolder.set(key(fund.fund, account), this.#holds(fund, account) + shares);
    this.#shares.set(fund.fund, this.#issued(fund) + shares);
    if (account !== fund.leader && this.#holds(fund, account) === 0n) fund.savers.delete(account);
  }

  #subscribed(fund: NaiveFund, at: number, event: Extract<Event, { type: 'FundSubscribed' }>): void {
    const { batch } = fund;
    const first = fund.subscriptions.shift();
    assert(batch !== undefined && first !== undefined && first.key === event.subscriptionId, 'subscriptions come in their order');
    assert(first.interval <= batch.interval, 'a subscription is executed at a valuation after it');
    const shares = (first.amount * batch.shares) / batch.worth;
    assert(
      event.amount === first.amount && event.shares === shares && shares > 0n,
      `${shares} shares for ${first.amount}, not ${event.shares}`,
    );
    assert(fund.worth + first.amount <= fund.capacity, 'no more than the capacity');
    const { account } = first;
    assert(account === fund.leader || this.#holds(fund, fund.leader) * 20n >= this.#issued(fund) + shares, 'the leader keeps 5 %');
    fund.worth += first.amount;
    const nav = (batch.worth * E9) / batch.shares;
    const before = fund.savers.get(account);
    const held = this.#holds(fund, account);
    const mark = before === undefined ? nav : (held * before.mark + shares * nav) / (held + shares);
    assert(event.highWaterMark === mark && event.nav === nav, `the high-water mark is ${mark}`);
    assert(event.lockedUntil === at + DAY, 'the lock is a day');
    this.#give(fund, account, shares);
    fund.savers.set(account, { mark, lockedUntil: at + DAY });
    fund.moved.subscriptions += 1;
    this.#count('subscribed');
  }

  #subscriptionReturned(fund: NaiveFund, { subscriptionId, amount, reason }: Extract<Event, { type: 'FundSubscriptionReturned' }>): void {
    const first = fund.subscriptions.shift();
    assert(first?.key === subscriptionId && first.amount === amount, 'subscriptions come in their order');
    this.#count(`subscription returned ${reason}`);
    const { batch } = fund;
    if (reason === 'closing') return assert(fund.end !== undefined, 'a fund that is open gives nothing back for its closing');
    assert(batch !== undefined, 'a valuation gives back');
    const shares = (amount * batch.shares) / batch.worth;
    const why =
      shares === 0n
        ? 'tooSmall'
        : fund.worth + amount > fund.capacity
          ? 'capacity'
          : first.account !== fund.leader && this.#holds(fund, fund.leader) * 20n < this.#issued(fund) + shares
            ? 'leaderShare'
            : undefined;
    assert(why === reason, `given back: ${why}, not ${reason}`);
  }

  #redeemed(fund: NaiveFund, event: Extract<Event, { type: 'FundRedeemed' }>): void {
    const { batch } = fund;
    const [first] = fund.redemptions;
    assert(batch !== undefined && first !== undefined && first.key === event.redemptionId, 'redemptions come in their order');
    assert(
      fund.subscriptions.every(({ interval }) => interval > batch.interval),
      'subscriptions come before redemptions',
    );
    assert(first.interval <= batch.interval, 'a redemption is executed at a valuation after it');
    const { account } = first;
    const fee = this.#fee(fund, account, event.shares, (batch.worth * E9) / batch.shares);
    const amount = ((event.shares - fee) * batch.worth) / batch.shares;
    assert(
      event.fee === fee && event.amount === amount,
      `${amount} less ${fee} for ${event.shares}, not ${event.amount} less ${event.fee}`,
    );
    assert(event.left === first.amount - event.shares && event.left >= 0n, 'what is left waits');
    // Only what has waited for a day is paid in parts.
    assert(event.left === 0n || batch.interval >= first.interval + DAY, 'a part is paid after a day');
    if (event.left > 0n) this.#count('redeemed in part');
    first.amount = event.left;
    if (event.left === 0n) fund.redemptions.shift();
    fund.worth -= amount;
    this.#give(fund, fund.leader, fee);
    this.#give(fund, account, 0n - event.shares);
    assert(this.#holds(fund, fund.leader) * 20n >= this.#issued(fund), 'the leader keeps 5 %');
    fund.moved.redemptions += 1;
    this.#count(fee > 0n ? 'redeemed with a fee' : 'redeemed');
  }

  /** A tenth of what the NAV is above the mark of the holder, in shares at the NAV, rounded up. */
  #fee(fund: NaiveFund, account: number, shares: bigint, nav: bigint): bigint {
    const mark = fund.savers.get(account)?.mark ?? nav;
    if (account === fund.leader || nav <= mark) return 0n;
    const [gain, price] = [shares * (nav - mark), nav * 10n];
    return gain % price === 0n ? gain / price : gain / price + 1n;
  }

  #finish(fund: NaiveFund, at: number): void {
    const { batch } = fund;
    assert(batch !== undefined, 'a batch is finished once');
    assert(
      fund.subscriptions.every(({ interval }) => interval > batch.interval),
      'no subscription waits longer than it must',
    );
    this.#checkHead(fund, batch);
    this.#checkFees(fund, batch);
    if (fund.moved.isAlone) {
      const { worth } = this.#worth(fund, at);
      const drift = worth * batch.shares - batch.worth * this.#issued(fund);
      const most = BigInt(fund.moved.subscriptions) * batch.worth + BigInt(fund.moved.redemptions) * batch.shares;
      assert(drift >= 0n && drift <= most, `the NAV moved by more than rounding: ${drift} of ${most}`);
      assert(worth === fund.worth, 'what is paid in and out is all that the worth changes by');
    }
    assert(this.#issued(fund) === this.#allShares(fund.fund), 'the shares are those of the balances');
    fund.batch = undefined;
  }

  /** A redemption waits only for cash. */
  #checkHead(fund: NaiveFund, { worth, shares, interval }: { worth: bigint; shares: bigint; interval: number }): void {
    const [first] = fund.redemptions;
    if (first === undefined || first.interval > interval || !fund.moved.isAlone) return;
    const fee = this.#fee(fund, first.account, first.amount, (worth * E9) / shares);
    const amount = ((first.amount - fee) * worth) / shares;
    const cash = this.#balance(fund.account, 'funding', fund.asset).free + this.#balance(fund.account, 'spot', fund.asset).free;
    assert(amount > cash, `${amount} could be paid of ${cash}`);
  }

  #checkFees(fund: NaiveFund, { worth, shares, interval }: { worth: bigint; shares: bigint; interval: number }): void {
    const month = monthOf(interval);
    const nav = (worth * E9) / shares;
    const expected: { account: number; shares: bigint }[] = [];
    if (month !== fund.month)
      for (const account of [...fund.savers.keys()].sort((left, right) => left - right)) {
        const fee = this.#fee(fund, account, this.#holds(fund, account), nav);
        const waiting = fund.redemptions.reduce((sum, one) => (one.account === account ? sum + one.amount : sum), 0n);
        if (fee > 0n && fee <= this.#holds(fund, account) - waiting) expected.push({ account, shares: fee });
      }
    fund.month = month;
    const taken = fund.fees.map((fee) => key(fee.account, String(fee.shares))).join();
    assert(taken === expected.map((fee) => key(fee.account, String(fee.shares))).join(), `the fees of the month: ${taken}`);
    for (const fee of expected) {
      const saver = fund.savers.get(fee.account);
      assert(saver !== undefined, 'who pays a fee has shares');
      fund.savers.set(fee.account, { ...saver, mark: nav });
      this.#give(fund, fund.leader, fee.shares);
      this.#give(fund, fee.account, -fee.shares);
      this.#count('monthly fee');
    }
  }

  #ended(fund: NaiveFund, { worth, shares, dust, reason }: Extract<Event, { type: 'FundEnded' }>): void {
    assert(reason === fund.end && shares === this.#issued(fund), 'it ends with the shares that there are');
    assert(fund.subscriptions.length + fund.redemptions.length === 0, 'nothing waits at the end');
    const nav = (worth * E9) / shares;
    let fees = 0n;
    let all = 0n;
    const order = [...fund.savers.keys()].filter((account) => account !== fund.leader).sort((left, right) => left - right);
    assert(fund.paid.map(({ account }) => account).join() === [...order, fund.leader].join(), 'every holder is paid once, the leader last');
    for (const paid of fund.paid) {
      const held = this.#holds(fund, paid.account) + (paid.account === fund.leader ? fees : 0n);
      const fee = this.#fee(fund, paid.account, held, nav);
      fees += fee;
      assert(
        paid.shares === held && paid.fee === fee && paid.amount === ((held - fee) * worth) / shares,
        `account ${paid.account} is paid by its shares`,
      );
      all += paid.amount;
    }
    assert(all + dust === worth && dust >= 0n && dust < BigInt(fund.paid.length), 'what is paid is what there is, less rounding');
    this.#funds.delete(fund.fund);
    this.#over.push(fund);
    this.#count('ended');
  }

  /** Whether all is sold, or after 30 days what is left of coins is worth less than 10 units: a fund ends then, and not before. */
  #isSold(fund: NaiveFund, at: number): boolean {
    if ([...this.#positions.values()].some((one) => one.account === fund.account && one.size !== 0n)) return false;
    let [left, worth] = [0, 0n];
    for (const { base, quote, lotAtoms, tickLotAtoms, prices } of this.#spots.values()) {
      const amount = quote === fund.asset ? this.#total(fund.account, base) : 0n;
      if (amount < lotAtoms) continue;
      left += 1;
      worth += (amount * prices.price * tickLotAtoms) / lotAtoms;
    }
    if (left === 0) return true;
    return at >= fund.closingSince + 30 * DAY && worth < 10_000_000n;
  }

  /** Everybody has its part of the cash that there is, by its shares, once a day at most; they stay, at a mark that is lower by what they had. */
  #paidInRound(fund: NaiveFund, at: number, { account, amount, fee }: Extract<Event, { type: 'FundPaidOut' }>): void {
    assert(fund.end !== undefined && fund.paid.length === 0, 'a round is paid while a fund closes, before its end');
    assert(fund.subscriptions.length + fund.redemptions.length === 0, 'nothing waits while rounds are paid');
    if (fund.round === undefined) {
      assert(at >= fund.roundAt + DAY, 'a round comes a day after the one before');
      const pot = this.#balance(fund.account, 'funding', fund.asset).free + fund.gathered;
      assert(pot >= 10_000_000n, 'a round is worth 10 units');
      fund.round = { pot, paid: [] };
      fund.roundAt = at;
    }
    const { pot, paid } = fund.round;
    const shares = this.#holds(fund, account);
    assert(fee === 0n && amount === (pot * shares) / this.#issued(fund), `account ${account} has its part of the round`);
    paid.push(account);
    const saver = fund.savers.get(account);
    assert(saver !== undefined, 'who is paid has shares');
    const lower = saver.mark - (amount * E9) / shares;
    saver.mark = lower > 0n ? lower : 0n;
  }

  /** A round was paid to everybody, and cash of wallets without margin does not lie for longer than a day. */
  #checkRounds(fund: NaiveFund, at: number): void {
    // What is sold later in the same moment is seen at the next valuation.
    const isAtWork = fund.isJustValued && fund.closedAt === at && at > fund.closingSince;
    assert(!isAtWork || !this.#isSold(fund, at), 'a fund that has sold everything ends');
    if (fund.round !== undefined) {
      const holders = [...fund.savers.keys()].sort((left, right) => left - right);
      assert(fund.round.paid.join() === holders.join(), 'a round pays every holder once');
      this.#count('round');
      if ([...this.#positions.values()].some((one) => one.account === fund.account && one.size !== 0n)) this.#count('round with positions');
      const left = this.#balance(fund.account, 'funding', fund.asset).free;
      assert(left < BigInt(holders.length), 'a round leaves its rounding');
      fund.round = undefined;
    }
    const isLate = fund.closedAt >= fund.roundAt + DAY;
    const cash = this.#balance(fund.account, 'funding', fund.asset).free + this.#balance(fund.account, 'spot', fund.asset).free;
    assert(!isLate || cash < 10_000_000n, `${cash} lie free and are paid to nobody`);
  }

  #hear(command: Command, events: readonly Event[]): void {
    if (events[0]?.type === 'CommandRejected') return;
    const ofManager = ['SendFundHeartbeat', 'PlaceOrder', 'PlaceContractOrder', 'CancelAllOrders', 'Transfer'].includes(command.type);
    for (const fund of this.#funds.values()) {
      if (ofManager && 'account' in command && command.account === fund.account) fund.silent = 0;
      if (fund.batch !== undefined && command.type !== 'ValueFund' && command.type !== 'ContinueFund') fund.moved.isAlone = false;
      if (events.some((event) => event.type === 'LiquidationStep' && event.account === fund.account)) fund.isLiquidated = true;
    }
  }

  #take(at: number, event: Event): void {
    switch (event.type) {
      case 'BalanceChanged':
        this.#balances.set(key(event.account, event.wallet, event.asset), { free: event.free, held: event.held });
        return;
      case 'PositionChanged':
        this.#positions.set(key(event.account, event.market, event.positionSide), {
          account: event.account,
          market: event.market,
          size: BigInt(event.size),
          cost: event.cost,
        });
        return;
      case 'ContractRegistered':
        this.#contracts.set(event.market, { tickLotAtoms: event.tickLotAtoms, prices: { price: 0n, at: 0, isReady: false } });
        return;
      case 'MarketRegistered':
        this.#spots.set(event.market, { ...event, prices: { price: 0n, at: 0, isReady: true } });
        return;
      case 'PricesSet': {
        const contract = this.#contracts.get(event.market);
        // A round with too few sources leaves the prices as old as they are.
        if (contract !== undefined) {
          const { prices } = contract;
          contract.prices = { price: BigInt(event.mark), at: event.state === 'READY' ? at : prices.at, isReady: event.state === 'READY' };
        }
        return;
      }
      case 'IndexPriceSet': {
        const spot = this.#spots.get(event.market);
        if (spot !== undefined) spot.prices = { price: BigInt(event.price), at, isReady: true };
        return;
      }
      case 'AccountFlagSet':
        if (event.flag === 'blocked' && event.value) this.#blocked.add(event.account);
        else if (event.flag === 'blocked') this.#blocked.delete(event.account);
        return;
      case 'FundOpened':
        this.#open(at, event);
        return;
      default:
    }
  }

  #open(at: number, { fund, account, leader, asset, capacity, amount }: Extract<Event, { type: 'FundOpened' }>): void {
    const opened: NaiveFund = {
      fund,
      account,
      leader,
      asset,
      capacity,
      worth: amount,
      subscriptions: [],
      redemptions: [],
      savers: new Map([[leader, { mark: E9, lockedUntil: at }]]),
      month: monthOf(at),
      silent: 0,
      isLiquidated: false,
      end: undefined,
      batch: undefined,
      moved: { subscriptions: 0, redemptions: 0, isAlone: true },
      fees: [],
      paid: [],
      closingSince: 0,
      roundAt: 0,
      round: undefined,
      gathered: 0n,
      closedAt: 0,
      isJustValued: false,
    };
    this.#funds.set(fund, opened);
    this.#give(opened, leader, amount);
    this.#count('opened');
  }
}

const queuedOf = ({ subscriptions }: NaiveFund): bigint => subscriptions.reduce((sum, { amount }) => sum + amount, 0n);

/** The first whole ten minutes that are a minute or more away. */
function firstAfter(at: number, said: number): number {
  let interval = Math.floor(at / (10 * MINUTE)) * 10 * MINUTE;
  while (interval < at + MINUTE) interval += 10 * MINUTE;
  assert(interval === said, `a request of ${at} waits for ${interval}`);
  return interval;
}
