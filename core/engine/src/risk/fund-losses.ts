/**
 * What the insurance fund and the liquidator have lost of each contract, minute by minute of the last hour, and since when the liquidator holds what it took over.
 * What an account leaves to the liquidator and what the liquidator gains counts against its losses.
 */
import { addAtoms, atoms, NO_ATOMS, type Atoms, type Lots, type MarketId, type Millis } from '@orrery/units';
import { FUND_LOSS_WINDOW_MINUTES } from '@orrery/rules';

const MINUTE_MS = 60_000;

/** Of one contract in one minute. */
export interface FundLoss {
  readonly market: MarketId;
  /** Since 1970. */
  readonly minute: number;
  /** Settle atoms; below zero where more was gained. */
  readonly loss: Atoms;
}

/** What the liquidator holds of a contract. */
export interface Holding {
  readonly market: MarketId;
  readonly since: Millis;
  /** The most it has held since. */
  readonly taken: Lots;
}

export class FundLosses {
  /** By contract, the oldest first. */
  readonly #losses = new Map<MarketId, FundLoss[]>();
  readonly #holdings = new Map<MarketId, Holding>();

  add(market: MarketId, loss: Atoms, at: Millis): void {
    if (loss === NO_ATOMS) return;
    const minute = Math.floor(at / MINUTE_MS);
    const kept = (this.#losses.get(market) ?? []).filter((one) => one.minute > minute - FUND_LOSS_WINDOW_MINUTES);
    const last = kept.at(-1);
    if (last?.minute === minute) kept[kept.length - 1] = { market, minute, loss: addAtoms(last.loss, loss) };
    else kept.push({ market, minute, loss });
    this.#losses.set(market, kept);
  }

  /** Of the last hour; below zero where more was gained. */
  within(market: MarketId, at: Millis): Atoms {
    const after = Math.floor(at / MINUTE_MS) - FUND_LOSS_WINDOW_MINUTES;
    return atoms((this.#losses.get(market) ?? []).reduce((sum, { minute, loss }) => (minute > after ? sum + loss : sum), 0n));
  }

  holding(market: MarketId): Holding | undefined {
    return this.#holdings.get(market);
  }

  hold(holding: Holding): void {
    this.#holdings.set(holding.market, holding);
  }

  holdNothing(market: MarketId): void {
    this.#holdings.delete(market);
  }

  /** By contract, the oldest first. */
  list(): readonly FundLoss[] {
    return [...this.#losses.values()].flat().sort((left, right) => left.market - right.market || left.minute - right.minute);
  }

  /** By contract. */
  holdings(): readonly Holding[] {
    return [...this.#holdings.values()].sort((left, right) => left.market - right.market);
  }

  restore({
    fundLosses,
    liquidatorHoldings,
  }: {
    readonly fundLosses: readonly FundLoss[];
    readonly liquidatorHoldings: readonly Holding[];
  }): void {
    for (const loss of fundLosses) {
      const before = this.#losses.get(loss.market);
      if (before === undefined) this.#losses.set(loss.market, [loss]);
      else before.push(loss);
    }
    for (const holding of liquidatorHoldings) this.hold(holding);
  }
}
