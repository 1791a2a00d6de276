/**
 * What must hold after a command of random futures, by its events and by a second computation of the margins of every account from a snapshot.
 */
import { assert, type Millis } from '@orrery/units';
import type { Command, Event, Sequenced, Trade } from '@orrery/protocol';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { assertSound } from './assert-sound.ts';
import type { Unpaid } from './naive-books.ts';
import { carry } from './naive-carry.ts';
import { withFundingPaid } from './naive-funding.ts';
import type { CurrentState } from './current-state.ts';
import { agedOf, equityOf, gainsOf, initialOf, isOpen, marginsOf } from './naive-margin.ts';
import { LIQUIDATOR } from './random-futures.ts';

/** A sale of collateral is rounded up to an atom of it, which an empty fund cannot give back: of BTC at the highest price of a run, in USDC atoms. */
const COLLATERAL_ATOM_WORTH = 2_000n;

/**
 * P5: a liquidation only below maintenance, but for what the liquidator itself does not sell in time. P7: what is deleveraged is exactly what was bankrupt. P6: nobody
 * pays more of a deficit than the gain of that moment.
 */
export function checkEvents(events: readonly Event[]): void {
  let deleveraged = 0;
  for (const event of events) {
    if (event.type === 'DeficitShared')
      assert(event.paid > 0n && event.paid <= event.gain, `P6: ${event.paid} is paid of a gain of ${event.gain}`);
    if (event.type === 'PositionDeleveraged') deleveraged += event.size;
    if (event.type !== 'LiquidationStep') continue;
    const isOwn = event.account === LIQUIDATOR && event.stage === 'adl';
    assert(isOwn || event.equity < event.maintenance, `P5: account ${event.account} is below its maintenance`);
    if (event.stage !== 'adl') continue;
    assert(deleveraged === event.size, `P7: ${event.size} lots are deleveraged, not ${deleveraged}`);
    deleveraged = 0;
  }
}

/**
 * P6: what nobody paid is more than all gains on the other side could pay. A gain that is left there belongs to an account that has lost more elsewhere than what
 * it has beside it. Of an inverse position each part that is closed against another account is rounded by itself, an atom at most.
 */
export function checkUnpaidLosses(snapshot: Snapshot, events: readonly Event[], seen: Map<string, number>): void {
  const sold = BigInt(events.filter(({ type }) => type === 'CollateralSold').length);
  for (const step of events) {
    if (step.type !== 'LiquidationStep') continue;
    const parts = events.filter((event) => event.type === 'PositionDeleveraged' && event.liquidationId === step.liquidationId).length;
    if (step.uncovered <= sold * COLLATERAL_ATOM_WORTH + BigInt(parts)) continue;
    assert(step.stage === 'adl', `P6: a step of ${step.stage} leaves ${step.uncovered} uncovered`);
    seen.set('uncovered', (seen.get('uncovered') ?? 0) + 1);
    for (const [index, event] of events.entries()) {
      const closed = events[index - 1];
      if (event.type !== 'PositionDeleveraged' || event.liquidationId !== step.liquidationId || closed?.type !== 'PositionReduced')
        continue;
      for (const { account, gain, gains, equity } of gainsOf(snapshot, event.market, closed.isLong))
        assert(gain <= 1n || equity < gains, `P6: account ${account} keeps a gain of ${gain} while ${step.uncovered} is uncovered`);
    }
  }
}

/** P6: what an order trades its own accounts pay. The fund buys collateral, and pays for liquidations; a funding payment or a round may take what is left. */
export function checkFund(command: Command, events: readonly Event[]): void {
  if (!['PlaceContractOrder', 'PlaceOrders', 'AmendOrder', 'CloseAllPositions'].includes(command.type)) return;
  if (events.some(({ type }) => type === 'CollateralSold' || type === 'LiquidationStep' || type === 'FundingPaid')) return;
  for (const event of events)
    assert(event.type !== 'InsuranceChanged' || event.change >= 0n, 'P6: the insurance fund pays nothing for a trade of orders');
}

interface Checking {
  readonly isSoundDue: boolean;
  readonly seen: Map<string, number>;
}

export function check(
  state: CurrentState,
  { at, command }: Pick<Sequenced, 'at' | 'command'>,
  events: readonly Event[],
  { isSoundDue, seen }: Checking,
): void {
  const isRound = events[0]?.type === 'PricesSet' && command.type === 'SubmitPrices';
  const makers = command.type === 'PlaceContractOrder' || command.type === 'PlaceOrders' ? lastTrades(events) : [];
  if (!isRound && !isSoundDue && makers.length === 0 && events[0]?.type !== 'Transferred') return;
  const bare = state.snapshot;
  const snapshot = withFundingPaid(bare);
  if (isSoundDue) assertSound(bare);
  if (isSoundDue) checkUncovered(snapshot);
  checkSecure(snapshot, { at, command }, events);
  for (const trade of makers) checkMaker(snapshot, trade, events);
  if (makers.length > 0) checkGrown(snapshot, at, events, seen);
  if (isRound) checkLiquidator(snapshot, at, events);
  // Whom the round itself has changed the next one looks at. Funding counts once it is paid.
  const changed = new Set(events.map((event) => (event.type === 'PositionChanged' || event.type === 'BalanceChanged' ? event.account : 0)));
  if (isRound) checkWhoIsLiquidated(bare, at, { market: command.market, changed });
}

/** P6: whatever the fund takes in pays first what it could not pay before. */
function checkUncovered({ systemBalances }: Snapshot): void {
  for (const { system, asset, free } of systemBalances) {
    if (system !== 'UNCOVERED' || free === 0n) continue;
    const fund = systemBalances.find((one) => one.system === 'INSURANCE' && one.asset === asset)?.free ?? 0n;
    assert(fund === 0n, `P6: the fund keeps ${fund} while ${free} of asset ${asset} is uncovered`);
  }
}

/** The last trade of each resting order's account that took nothing itself. */
function lastTrades(events: readonly Event[]): readonly Trade[] {
  const trades = events.filter((event) => event.type === 'Trade');
  const takers = new Set(trades.map(({ takerAccount }) => takerAccount));
  return [...new Map(trades.map((trade) => [trade.makerAccount, trade])).values()].filter(({ makerAccount }) => !takers.has(makerAccount));
}

/**
 * P6: a resting order that traded at a worse price than the mark left its account its maintenance where it opened, and not less than nothing where it closed.
 * Later trades may be better than the mark, and nobody looks at those: only the last one counts.
 */
function checkMaker(snapshot: Snapshot, last: Trade, events: readonly Event[]): void {
  const { makerAccount: account, market, takerSide, price } = last;
  const mark = snapshot.contracts.find(({ terms }) => terms.market === market)?.prices.mark ?? 0;
  if (mark === 0 || !(takerSide === 'sell' ? price > mark : price < mark)) return;
  const own = marginsOf(snapshot, account).filter(({ markets }) => markets.includes(market));
  const [margin] = own;
  // Of two isolated sides the trade touched one alone.
  if (margin === undefined || own.length > 1) return;
  const isTraded = (event: Event): boolean =>
    event.type === 'PositionChanged' && margin.key === `${event.account} ${event.market} ${event.positionSide}`;
  if (margin.isIsolated && !events.some(isTraded)) return;
  let opened = 0;
  let sold = 0n;
  for (const event of events) {
    if (event.type === 'Trade' && event.makerAccount === account) opened += event.size;
    else if (event.type === 'PositionReduced' && event.account === account && event.market === market) opened -= event.size;
    else if (event.type === 'CollateralSold') sold += 1n;
  }
  const least = opened > 0 ? margin.maintenance : 0n;
  assert(
    equityOf(margin) + 2n + sold * COLLATERAL_ATOM_WORTH >= least,
    `P6: account ${account} keeps ${equityOf(margin)} of ${least} after a trade at ${price}, the mark is ${mark}`,
  );
}

/**
 * P6: whose positions have grown in a command of an order, whichever side of its trades they were on, has the initial margin of everything under cross, and of an
 * isolated position the maintenance. Each sale of collateral may cost an atom of it, and fills of several prices are looked at as one.
 */
function checkGrown(snapshot: Snapshot, at: Millis, events: readonly Event[], seen: Map<string, number>): void {
  if (snapshot.rules < 7 || events.some(({ type }) => type === 'OrderTriggered' || type === 'LiquidationStep')) return;
  const grown = new Map<number, number>();
  const shrunk = new Set<number>();
  for (const event of events) {
    if (event.type === 'PositionReduced') shrunk.add(event.account);
    if (event.type !== 'Trade') continue;
    for (const account of [event.makerAccount, event.takerAccount]) grown.set(account, (grown.get(account) ?? 0) + 1);
  }
  const sold = BigInt(events.filter(({ type }) => type === 'CollateralSold').length);
  for (const [account, trades] of grown) {
    if (shrunk.has(account)) continue;
    const slack = BigInt(trades) + sold * COLLATERAL_ATOM_WORTH;
    const changed = events.filter((event) => event.type === 'PositionChanged').filter((event) => event.account === account);
    const sides = new Set(
      changed.filter((event) => tradedIn(events, event.market)).map(({ market, positionSide }) => `${account} ${market} ${positionSide}`),
    );
    // Who traded in one contract may pay funding of another, which is no growth.
    const markets = new Set<number>(events.flatMap((event) => (event.type === 'Trade' ? [event.market] : [])));
    for (const margin of marginsOf(snapshot, account)) {
      if (margin.isIsolated ? !sides.has(margin.key) : !margin.markets.some((market) => markets.has(market))) continue;
      const least = margin.isIsolated ? margin.maintenance : initialOf(snapshot, account, margin.payoff, at);
      const keeps = equityOf(margin) - (margin.isIsolated ? 0n : agedOf(snapshot, account, margin.payoff, at));
      assert(keeps + slack >= least, `P6: ${margin.key} has grown and keeps ${keeps} of ${least}`);
      const what = `grown ${margin.isIsolated ? 'isolated' : 'cross'}`;
      seen.set(what, (seen.get(what) ?? 0) + 1);
    }
  }
}

const tradedIn = (events: readonly Event[], market: number): boolean =>
  events.some((event) => event.type === 'Trade' && event.market === market);

/** P6: an order is only cut for want of margin when its account could not bear the trade, by a second reckoning; what the engine may reckon less is named there. */
export function checkUnpaid(before: Snapshot, unpaid: readonly Unpaid[], at: Millis, seen: Map<string, number>): void {
  for (const one of unpaid) {
    if (!one.isFirst || before.rules < 7) continue;
    const { beyond, isWorse, opens } = carry(before, one, at);
    const what = beyond === undefined ? 'margin of closing' : opens ? 'opening' : 'closing';
    seen.set(`unpaid ${what}`, (seen.get(`unpaid ${what}`) ?? 0) + 1);
    const isBorne = beyond !== undefined && (!(isWorse || opens) || beyond >= 0n);
    assert(!isBorne, `P6: order ${one.order.orderId} of account ${one.order.account} has ${beyond} beyond what it must keep`);
  }
}

/**
 * P6: who took positions over can pay for what it holds, where all of that has a price: else it counts at the most favourable one that is possible. A deleveraging
 * of others may have closed what it held at a worse price than the mark.
 */
function checkLiquidator(snapshot: Snapshot, at: Millis, events: readonly Event[]): void {
  const steps = events.filter((event) => event.type === 'LiquidationStep').filter(({ account }) => account !== LIQUIDATOR);
  if (steps.some(({ stage }) => stage === 'adl')) return;
  const markets = new Set<number>(steps.flatMap(({ stage, market }) => (stage === 'takeover' ? [market] : [])));
  for (const margin of marginsOf(snapshot, LIQUIDATOR))
    if (margin.markets.some((market) => markets.has(market)) && margin.markets.every((market) => isOpen(snapshot, market, at)))
      assert(equityOf(margin) + 2n >= 0n, `P6: the liquidator has taken over while it was worth ${equityOf(margin)}`);
}

/** Since the last start or outage. */
const ROUNDS_MIN = 3;

/**
 * X1, X4: no position grows in a contract that is not open, by whatever happens: what clients are shown as READY, with its third round, and no older than 30 s.
 * Followed from events alone. READY of older rules says nothing of the rounds, and stands for a moment after an upgrade.
 */
export class Openings {
  readonly #readyAt = new Map<number, number>();
  readonly #sizes = new Map<string, number>();
  #isChecked = false;

  /** Rules 7 have begun. */
  begin(): void {
    this.#isChecked = true;
  }

  follow(events: readonly Event[], at: Millis): void {
    for (const event of events) {
      if (event.type === 'PricesSet') this.#readyAt.set(event.market, event.state === 'READY' && event.freshRounds >= ROUNDS_MIN ? at : -1);
      if (event.type === 'OrderClosed' && event.reason === 'pricesDegraded')
        assert(
          !this.#isChecked || !this.#isOpen(event.market, at),
          `X1: order ${event.orderId} closes for want of prices, and there are some`,
        );
      if (event.type !== 'PositionChanged') continue;
      const key = `${event.account} ${event.market} ${event.positionSide}`;
      const before = this.#sizes.get(key) ?? 0;
      const grows = Math.abs(event.size) > Math.abs(before) || event.size * before < 0;
      assert(
        !this.#isChecked || !grows || this.#isOpen(event.market, at),
        `X1: ${key} grows from ${before} to ${event.size} while its contract is not open`,
      );
      this.#sizes.set(key, event.size);
    }
  }

  #isOpen(market: number, at: Millis): boolean {
    const readyAt = this.#readyAt.get(market) ?? -1;
    return readyAt >= 0 && at - readyAt <= 30_000;
  }
}

/** A leverage is refused only for what it changes itself: what it freed leaves the account secure (P4), what it asks for the account has. */
export function checkLeverage(
  before: Snapshot,
  after: Snapshot,
  { command, at }: Pick<Sequenced, 'at' | 'command'>,
  seen: Map<string, number>,
): void {
  const payoff = securedBy(after, command);
  if (command.type !== 'SetLeverage' || payoff === undefined || before.rules < 7) return;
  const { account } = command;
  const [was, is] = [before, after].map((snapshot) => initialOf(snapshot, account, payoff, at));
  const cross = marginsOf(after, account).find((one) => !one.isIsolated && one.payoff === payoff);
  if (was === undefined || is === undefined || was === is || cross === undefined) return;
  const worth = cross.worth - agedOf(after, account, payoff, at);
  const secure = worth + (cross.unrealised < 0n ? cross.unrealised : 0n);
  const fifth = (cross.notional + 4n) / 5n;
  if (is > was) assert(worth + cross.unrealised >= is, `P4: account ${account} lacks margin for its lower leverage`);
  else assert(secure >= is && secure >= fifth, `P4: account ${account} keeps ${secure} of ${fifth} after it raised its leverage`);
  const what = is > was ? 'leverage lowered' : 'leverage raised';
  seen.set(what, (seen.get(what) ?? 0) + 1);
}

/**
 * P4: after money left a wallet of contracts, what the account is worth without its profit is at least its initial margin and a
 * fifth of the notional. The value of a collateral rounds down as it leaves and as it stays.
 */
function checkSecure(snapshot: Snapshot, { at, command }: Pick<Sequenced, 'at' | 'command'>, [event]: readonly Event[]): void {
  if (event?.type !== 'Transferred') return;
  const payoff = securedBy(snapshot, command);
  if (payoff === undefined) return;
  const { account } = event;
  const cross = marginsOf(snapshot, account).find((one) => !one.isIsolated && one.payoff === payoff);
  if (cross === undefined) return;
  const secure = cross.worth - agedOf(snapshot, account, payoff, at) + (cross.unrealised < 0n ? cross.unrealised : 0n);
  const [initial, fifth] = [initialOf(snapshot, account, payoff, at), (cross.notional + 4n) / 5n];
  const least = initial > fifth ? initial : fifth;
  assert(secure + 2n >= least, `P4: account ${account} keeps ${secure} of ${least} after ${command.type}`);
}

/** The payoff whose cross margin a command may not endanger. */
function securedBy(snapshot: Snapshot, command: Command): 'linear' | 'inverse' | undefined {
  if (command.type === 'Transfer') {
    const counts = command.asset === 1 || snapshot.collaterals.some(({ asset }) => asset === command.asset);
    return command.from === 'futures' && counts ? 'linear' : command.from === 'coinFutures' ? 'inverse' : undefined;
  }
  if (command.type !== 'SetLeverage') return undefined;
  const isIsolated = snapshot.exposures.some(
    (one) => one.account === command.account && one.market === command.market && one.mode === 'isolated',
  );
  return isIsolated ? undefined : snapshot.contracts.find(({ terms }) => terms.market === command.market)?.terms.payoff;
}

interface Round {
  readonly market: number;
  readonly changed: ReadonlySet<number>;
}

/** A second reckoning of every account, from scratch: after a round each one below its maintenance is being liquidated. */
function checkWhoIsLiquidated(snapshot: Snapshot, at: Millis, { market: round, changed }: Round): void {
  const isValid = (market: number): boolean => {
    const { prices, state } = snapshot.contracts.find(({ terms }) => terms.market === market)!;
    // Where its owner cannot close nobody is taken over.
    return state === 'TRADING' && prices.state === 'READY' && prices.freshRounds >= 3 && at - prices.freshAt <= 30_000;
  };
  if (!isValid(round)) return;
  const liquidated = new Set(snapshot.liquidations.map(({ key }) => key));
  for (const margin of marginsOf(snapshot)) {
    const { account, key, maintenance, markets } = margin;
    if (changed.has(account)) continue;
    const least = account === LIQUIDATOR ? 0n : maintenance;
    const equity = equityOf(margin);
    if (equity < least && markets.every(isValid)) assert(liquidated.has(key), `P5: ${key} with ${equity} of ${least} is found`);
  }
}
