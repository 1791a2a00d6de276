/** Contracts as history knows them: their terms, the positions in them, and what became of those. */
import {
  type Applied,
  type Contract,
  type Event,
  type MarginMode,
  type PositionChanged,
  type PositionReduced,
  type ReductionCause,
} from '@orrery/protocol';
import { type AccountId, addAtoms, type Atoms, type MarketId, type Millis, NO_ATOMS } from '@orrery/units';
import { openTimeOf } from '@orrery/views';
import type { InsuranceCause } from '@orrery/api';
import {
  type ClosedPart,
  type ClosedPosition,
  type ContractBatch,
  type OpenPosition,
  positionKey,
  type PositionPlace,
} from './contract-batch.ts';

const NOTHING_CLOSED: ClosedPart = { size: 0, notional: NO_ATOMS, releasedCost: NO_ATOMS, profit: NO_ATOMS };

/** Numbers of assets end below it. */
const ASSETS_MAX = 256;

/** What one command closed of a position. */
interface Reduction {
  readonly part: ClosedPart;
  readonly fee: Atoms;
  readonly isLong: boolean;
  readonly cause: ReductionCause;
}

export class Contracts {
  readonly #contracts = new Map<MarketId, Contract>();
  readonly #leverages = new Map<string, number>();
  readonly #modes = new Map<string, MarginMode>();
  readonly #positions = new Map<string, OpenPosition>();
  /** Of the running command. */
  #insuranceCause: InsuranceCause = 'TRADE';
  /** Of the running command. */
  readonly #reductions = new Map<string, Reduction>();

  /** Undefined where the market is a spot market. */
  contract(market: MarketId): Contract | undefined {
    return this.#contracts.get(market);
  }

  restoreLeverage(place: PositionPlace, leverage: number): void {
    this.#leverages.set(positionKey(place), leverage);
  }

  restoreMode(account: AccountId, market: MarketId, mode: MarginMode): void {
    this.#modes.set(`${account}:${market}`, mode);
  }

  restorePosition(position: OpenPosition): void {
    this.#positions.set(positionKey(position), position);
  }

  /** What is listed is never taken back. */
  list(event: Event): void {
    if (event.type !== 'ContractRegistered') return;
    const { type: _, ...contract } = event;
    this.#contracts.set(event.market, contract);
  }

  /** @param place of the event among those of its command */
  apply(event: Event, { seq, at }: Pick<Applied, 'seq' | 'at'>, place: number, batch: ContractBatch): void {
    switch (event.type) {
      case 'PricesSet':
        batch.addPrice(event.market, 'mark', openTimeOf('1m', at), event.mark);
        batch.addPrice(event.market, 'index', openTimeOf('1m', at), event.index);
        break;
      case 'LeverageSet':
        this.#leverages.set(positionKey(event), event.leverage);
        batch.leverages.set(positionKey(event), event);
        break;
      case 'MarginModeSet':
        this.#modes.set(`${event.account}:${event.market}`, event.mode);
        batch.marginModes.set(`${event.account}:${event.market}`, event);
        break;
      case 'PositionReduced':
        this.#reduce(event);
        break;
      case 'PositionChanged':
        this.#change(event, { seq, at }, batch);
        break;
      case 'BudgetFunded':
        this.#insuranceCause = 'BUDGET';
        break;
      case 'FundingSettled':
        this.#insuranceCause = 'FUNDING';
        batch.fundingRates.push({ market: event.market, interval_end: event.interval, rate_ppb: event.ratePpb, price: event.price, at });
        break;
      case 'TwapAccepted':
        batch.twaps.push({
          twap_id: event.twapId,
          account: event.account,
          market: event.market,
          client_order_id: event.key,
          side: event.side,
          position_side: event.positionSide,
          size: event.size,
          minutes: event.minutes,
          reduce_only: event.reduceOnly,
          accepted_at: at,
          filled: 0,
          closed_at: null,
          reason: null,
        });
        break;
      case 'TwapClosed':
        batch.twapEnds.push({ twap_id: event.twapId, filled: event.filled, closed_at: at, reason: event.reason });
        break;
      case 'FundingPaid':
        // Before what a position does, and the only thing that a sweep does.
        if (this.#insuranceCause === 'TRADE') this.#insuranceCause = 'FUNDING';
        break;
      case 'Trade':
        if (this.#insuranceCause === 'FUNDING') this.#insuranceCause = 'TRADE';
        break;
      case 'InsuranceChanged': {
        const { asset, amount, change } = event;
        const id = seq * ASSETS_MAX + asset;
        batch.insurance.push({ id, asset, amount: String(amount), change: String(change), cause: this.#insuranceCause, at });
        break;
      }
      default:
        this.#applyLiquidation(event, { seq, at }, place, batch);
    }
  }

  #applyLiquidation(event: Event, { seq, at }: Pick<Applied, 'seq' | 'at'>, place: number, batch: ContractBatch): void {
    switch (event.type) {
      case 'LiquidationStep':
        this.#insuranceCause = 'LIQUIDATION';
        batch.liquidations.push({
          seq,
          place,
          liquidation_id: event.liquidationId,
          account: event.account,
          market: event.market,
          position_side: event.positionSide,
          stage: event.stage,
          mark: event.mark,
          equity: String(event.equity),
          maintenance: String(event.maintenance),
          size: event.size,
          price: event.price,
          from_margin: String(event.fromMargin),
          from_liquidator: String(event.fromLiquidator),
          from_insurance: String(event.fromInsurance),
          uncovered: String(event.uncovered),
          at,
        });
        break;
      case 'PositionDeleveraged':
        this.#insuranceCause = 'LIQUIDATION';
        batch.deleveragings.push({
          seq,
          place,
          liquidation_id: event.liquidationId,
          account: event.account,
          market: event.market,
          position_side: event.positionSide,
          size: event.size,
          price: event.price,
          rank: event.rank,
          profit: String(event.profit),
          at,
        });
        break;
      default:
        break;
    }
  }

  /** After the last event of a command. */
  endCommand(): void {
    this.#reductions.clear();
    this.#insuranceCause = 'TRADE';
  }

  #reduce(event: PositionReduced): void {
    const key = positionKey(event);
    const before = this.#reductions.get(key);
    this.#reductions.set(key, {
      part: sum(before?.part ?? NOTHING_CLOSED, event),
      fee: addAtoms(before?.fee ?? NO_ATOMS, event.fee),
      isLong: event.isLong,
      cause: event.cause,
    });
  }

  /** A position of which everything was closed has ended, also where the same command opened another one. */
  #change(event: PositionChanged, { seq, at }: { seq: number; at: Millis }, batch: ContractBatch): void {
    const key = positionKey(event);
    const before = this.#positions.get(key);
    const reduction = this.#reductions.get(key);
    const hasEnded =
      reduction !== undefined &&
      (event.size === 0 ||
        (before !== undefined && (Math.sign(before.size) !== Math.sign(event.size) || before.openedAt !== event.openedAt)));
    if (hasEnded) this.#close({ event, before, reduction, seq, at }, batch);
    const closed = hasEnded ? NOTHING_CLOSED : sum(before?.closed ?? NOTHING_CLOSED, reduction?.part ?? NOTHING_CLOSED);
    const { account, market, positionSide, size, cost, fees, funding, openedAt, maxSize } = event;
    const open = size === 0 ? undefined : { account, market, positionSide, size, cost, fees, funding, openedAt, maxSize, closed };
    if (open === undefined) this.#positions.delete(key);
    else this.#positions.set(key, open);
    batch.positions.set(key, { place: { account, market, positionSide }, open });
  }

  #close(
    parts: { event: PositionChanged; before: OpenPosition | undefined; reduction: Reduction; seq: number; at: Millis },
    batch: ContractBatch,
  ): void {
    const { event, before, reduction, seq, at } = parts;
    // Where another position follows in the same command, the fact is about that one.
    const isLast = event.size === 0 || before === undefined;
    const ended = isLast ? event : { ...before, fees: addAtoms(before.fees, reduction.fee) };
    const { account, market, positionSide } = event;
    const closed = sum(before?.closed ?? NOTHING_CLOSED, reduction.part);
    batch.closedPositions.push(
      closedRow(
        {
          account,
          market,
          positionSide,
          size: 0,
          cost: NO_ATOMS,
          fees: ended.fees,
          funding: ended.funding,
          openedAt: ended.openedAt,
          maxSize: ended.maxSize,
          closed,
          isLong: reduction.isLong,
          cause: reduction.cause,
          marginMode: this.#modes.get(`${account}:${market}`) ?? 'cross',
          leverage: this.#leverages.get(positionKey(event)) ?? this.#contracts.get(market)?.initLeverage,
        },
        { seq, at },
      ),
    );
  }
}

const sum = (part: ClosedPart, more: ClosedPart): ClosedPart => ({
  size: part.size + more.size,
  notional: addAtoms(part.notional, more.notional),
  releasedCost: addAtoms(part.releasedCost, more.releasedCost),
  profit: addAtoms(part.profit, more.profit),
});

function closedRow(position: ClosedPosition, { seq, at }: { seq: number; at: Millis }): ContractBatch['closedPositions'][number] {
  const { closed } = position;
  return {
    seq,
    account: position.account,
    market: position.market,
    position_side: position.positionSide,
    is_long: position.isLong,
    margin_mode: position.marginMode,
    leverage: position.leverage ?? null,
    size: closed.size,
    max_size: position.maxSize,
    opened_notional: String(closed.releasedCost),
    closed_notional: String(closed.notional),
    profit: String(closed.profit),
    fees: String(position.fees),
    funding: String(position.funding),
    cause: position.cause,
    opened_at: position.openedAt,
    closed_at: at,
  };
}
