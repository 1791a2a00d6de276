/** Rows of contracts in the words and decimals of the public contract. */
import type { ClosedPosition, EndedTwap, FuturesBill, FuturesBillType, FuturesFill, Liquidation, PositionSideName } from '@orrery/api';
import type { Asset, Contract, TwapEnd } from '@orrery/protocol';
import { entryPrice, PRACTICE } from '@orrery/rules';
import { atoms, lots, NO_ATOMS, printAtoms, printLots, printTicks, ticks } from '@orrery/units';
import type { Selectable } from 'kysely';
import type { ProjectorTables } from './tables.ts';

type Row<Table extends keyof ProjectorTables> = Selectable<ProjectorTables[Table]>;

/** What the numbers of a contract are printed by. */
export interface ContractTexts {
  readonly contract: Contract;
  /** The settlement coin. */
  readonly coin: string;
  /** Atoms of it as a decimal. */
  readonly money: (atoms: string) => string;
}

export const textsOf = (contract: Contract, settle: Asset): ContractTexts => ({
  contract,
  coin: settle.code,
  money: (text) => printAtoms(atoms(BigInt(text)), settle.decimals),
});

const BILL_TYPES = {
  TRANSFER: 'EXCHANGE',
  PROFIT: 'CLOSE_POSITION',
  FEE: 'FEE',
  FUNDING: 'FUND',
  COLLATERAL: 'COLLATERAL',
  LIQUIDATION: 'QIANG_PING_MANAGER',
  TAKEOVER: 'TAKE_OVER',
  DELEVERAGING: 'ADL',
  DEPOSIT_SUSPENDED: 'EXCHANGE',
  DEPOSIT_WRITTEN_OFF: 'EXCHANGE',
  PRACTICE: 'PRACTICE',
} as const satisfies Readonly<Record<string, FuturesBillType>>;

export const kindsOf = (type: FuturesBillType): readonly string[] =>
  Object.entries(BILL_TYPES).flatMap(([kind, name]) => (name === type ? [kind] : []));

const CAUSES = { trade: 'TRADE', liquidation: 'LIQUIDATION', takeover: 'TAKE_OVER', adl: 'ADL', closeAll: 'CLOSE_ALL' } as const;
const STAGES = { orderBook: 'ORDER_BOOK', takeover: 'TAKE_OVER', adl: 'ADL' } as const;
const SIDES = { both: 'BOTH', long: 'LONG', short: 'SHORT' } as const;

export const sideName = (side: string): PositionSideName => SIDES[side as keyof typeof SIDES];

export function printContractFill(row: Row<'projector_fill'>, { contract, coin, money }: ContractTexts): FuturesFill {
  return {
    orderId: String(row.order_id),
    clientOrderId: row.client_order_id,
    execId: String(row.trade_id),
    symbol: contract.symbol,
    orderSide: row.side === 'buy' ? 'BUY' : 'SELL',
    positionSide: sideName(row.position_side ?? 'both'),
    quantity: printLots(lots(row.size), contract.sizePrecision),
    price: printTicks(ticks(row.price), contract.pricePrecision),
    value: money(row.notional),
    fee: money(row.fee),
    feeCoin: coin,
    closeProfit: money(row.close_profit ?? '0'),
    takerMaker: row.role as FuturesFill['takerMaker'],
    timestamp: row.at,
  };
}

export function printClosedPosition(row: Row<'projector_closed_position'>, { contract, coin, money }: ContractTexts): ClosedPosition {
  const price = (notional: string): string => {
    const whole = atoms(BigInt(notional));
    return printTicks(whole === NO_ATOMS ? ticks(0) : entryPrice(whole, lots(row.size), contract), contract.pricePrecision);
  };
  return {
    positionId: `${row.seq}:${row.market}:${row.position_side}`,
    symbol: contract.symbol,
    positionSide: sideName(row.position_side),
    positionType: row.margin_mode === 'isolated' ? 'ISOLATED' : 'CROSSED',
    leverage: row.leverage ?? contract.initLeverage,
    side: row.is_long ? 'LONG' : 'SHORT',
    maxSize: printLots(lots(row.max_size), contract.sizePrecision),
    entryPrice: price(row.opened_notional),
    avgClosePrice: price(row.closed_notional),
    realizedProfit: money(row.profit),
    cumTradingFee: money(row.fees),
    cumFunding: money(row.funding),
    settleCoin: coin,
    cause: CAUSES[row.cause as keyof typeof CAUSES],
    createdTime: row.opened_at,
    closedTime: row.closed_at,
  };
}

export function printLiquidation(row: Row<'projector_liquidation'>, { contract, coin, money }: ContractTexts): Liquidation {
  return {
    id: `${row.seq}:${row.place}`,
    liquidationId: String(row.liquidation_id),
    symbol: contract.symbol,
    positionSide: sideName(row.position_side),
    stage: STAGES[row.stage as keyof typeof STAGES],
    markPrice: printTicks(ticks(row.mark), contract.pricePrecision),
    equity: money(row.equity),
    maintenanceMargin: money(row.maintenance),
    size: printLots(lots(row.size), contract.sizePrecision),
    price: row.price === 0 ? null : printTicks(ticks(row.price), contract.pricePrecision),
    fromMargin: money(row.from_margin),
    fromLiquidator: money(row.from_liquidator),
    fromInsurance: money(row.from_insurance),
    uncovered: money(row.uncovered),
    settleCoin: coin,
    createdTime: row.at,
  };
}

export function printTwap(row: Row<'projector_twap'>, { contract }: ContractTexts): EndedTwap {
  return {
    twapId: String(row.twap_id),
    clientOrderId: row.client_order_id,
    symbol: contract.symbol,
    orderSide: row.side === 'buy' ? 'BUY' : 'SELL',
    positionSide: sideName(row.position_side),
    origQty: printLots(lots(row.size), contract.sizePrecision),
    minutes: row.minutes,
    reduceOnly: row.reduce_only,
    executedQty: printLots(lots(row.filled), contract.sizePrecision),
    createdTime: row.accepted_at,
    closeReason: row.reason as TwapEnd,
    closedTime: row.closed_at ?? row.accepted_at,
  };
}

/** @param symbol of the contract that it came from */
export function printFuturesBill(row: Row<'projector_bill'>, asset: Asset, symbol: string | null): FuturesBill {
  const money = (text: string): string => printAtoms(atoms(BigInt(text)), asset.decimals);
  const amount = BigInt(row.amount);
  return {
    id: String(row.id),
    coin: asset.code,
    underlyingType: asset.code === PRACTICE ? 'PRACTICE' : row.wallet === 'futures' ? 'U_BASED' : 'COIN_BASED',
    symbol,
    type: BILL_TYPES[row.kind as keyof typeof BILL_TYPES],
    amount: money(String(amount < 0n ? -amount : amount)),
    side: amount < 0n ? 'SUB' : 'ADD',
    afterAmount: money(row.after_amount),
    reference: row.reference,
    createdTime: row.at,
  };
}
