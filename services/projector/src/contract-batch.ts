/** What some commands change of contracts in SQL. */
import type { MarginMode, PositionSide, ReductionCause } from '@orrery/protocol';
import type { AccountId, Atoms, MarketId, Ticks } from '@orrery/units';
import type { Insertable } from 'kysely';
import type { ContractTables } from './contract-tables.ts';

type Row<Table extends keyof ContractTables> = Insertable<ContractTables[Table]>;

export interface PositionPlace {
  readonly account: AccountId;
  readonly market: MarketId;
  readonly positionSide: PositionSide;
}

export const positionKey = ({ account, market, positionSide }: PositionPlace): string => `${account}:${market}:${positionSide}`;

/** What was closed of a position since it was opened. */
export interface ClosedPart {
  readonly size: number;
  readonly notional: Atoms;
  readonly releasedCost: Atoms;
  readonly profit: Atoms;
}

export interface OpenPosition extends PositionPlace {
  /** Below zero of a short one. */
  readonly size: number;
  readonly cost: Atoms;
  readonly fees: Atoms;
  readonly funding: Atoms;
  readonly openedAt: number;
  readonly maxSize: number;
  readonly closed: ClosedPart;
}

export interface ClosedPosition extends OpenPosition {
  readonly isLong: boolean;
  readonly cause: ReductionCause;
  readonly marginMode: MarginMode;
  readonly leverage: number | undefined;
}

export interface PriceCandle {
  readonly market: MarketId;
  readonly source: 'mark' | 'index';
  readonly openTime: number;
  readonly open: Ticks;
  high: Ticks;
  low: Ticks;
  close: Ticks;
}

export class ContractBatch {
  readonly leverages = new Map<string, PositionPlace & { readonly leverage: number }>();
  readonly marginModes = new Map<string, { readonly account: AccountId; readonly market: MarketId; readonly mode: MarginMode }>();
  /** Undefined where it is closed. */
  readonly positions = new Map<string, { readonly place: PositionPlace; readonly open: OpenPosition | undefined }>();
  readonly closedPositions: Row<'projector_closed_position'>[] = [];
  readonly fundings: Row<'projector_funding'>[] = [];
  readonly fundingRates: Row<'projector_funding_rate'>[] = [];
  readonly liquidations: Row<'projector_liquidation'>[] = [];
  /** Those that began, and how others ended. */
  readonly twaps: Row<'projector_twap'>[] = [];
  readonly twapEnds: Pick<Row<'projector_twap'>, 'twap_id' | 'filled' | 'closed_at' | 'reason'>[] = [];
  readonly deleveragings: Row<'projector_deleveraging'>[] = [];
  readonly insurance: Row<'projector_insurance'>[] = [];
  readonly priceCandles = new Map<string, PriceCandle>();
  readonly positionHours = new Map<string, Row<'projector_position_hour'>>();
  readonly markPrices = new Map<string, Row<'projector_mark_price'>>();

  addPrice(market: MarketId, source: PriceCandle['source'], openTime: number, price: Ticks): void {
    const key = `${market}:${source}:${openTime}`;
    const found = this.priceCandles.get(key);
    if (found === undefined) {
      this.priceCandles.set(key, { market, source, openTime, open: price, high: price, low: price, close: price });
      return;
    }
    if (price > found.high) found.high = price;
    if (price < found.low) found.low = price;
    found.close = price;
  }
}
