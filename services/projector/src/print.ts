/** Rows in the words and decimals of the public contract. */
import type { Bill, BillKind, Fill, Order, Transfer, Withdrawal } from '@orrery/api';
import type { Asset, Market, OrderType, Side } from '@orrery/protocol';
import {
  atoms,
  type Atoms,
  divFloor,
  type Lots,
  lots,
  NO_ATOMS,
  NO_LOTS,
  NO_TICKS,
  printAtoms,
  printDecimal,
  printLots,
  printTicks,
  ticks,
} from '@orrery/units';
import type { OrderState } from '@orrery/views';
import type { Selectable } from 'kysely';
import type { ProjectorTables } from './tables.ts';

interface Listing {
  readonly market: Market;
  readonly base: Asset;
  readonly quote: Asset;
}

const TRADE_TYPES = {
  limit: 'LIMIT',
  market: 'MARKET',
  stopLimit: 'STOP_LIMIT',
  stopMarket: 'STOP_MARKET',
} as const satisfies Record<OrderType, Order['orderType']>;
const DIRECTIONS = { buy: 'BUY', sell: 'SELL' } as const satisfies Record<Side, Order['orderSide']>;

/** Decimals of an average beyond those of a price. */
const AVERAGE_DIGITS = 2;

export function printOrder({ order, filled, filledNotional, closeReason, updatedAt }: OrderState, { market, quote }: Listing): Order {
  const executed = printLots(filled, market.sizePrecision);
  return {
    orderId: String(order.orderId),
    clientOrderId: order.clientOrderId,
    symbol: market.symbol,
    orderSide: DIRECTIONS[order.side],
    orderType: TRADE_TYPES[order.orderType],
    timeInForce: order.timeInForce,
    price: order.price === NO_TICKS ? null : printTicks(order.price, market.pricePrecision),
    stopPrice: order.triggerPrice === NO_TICKS ? null : printTicks(order.triggerPrice, market.pricePrecision),
    origQty: order.size === NO_LOTS ? null : printLots(order.size, market.sizePrecision),
    funds: order.funds === NO_ATOMS ? null : printAtoms(order.funds, quote.decimals),
    avgPrice: averagePrice({ filled, filledNotional, market, quote }),
    executedQty: executed,
    dealQty: executed,
    executedValue: printAtoms(filledNotional, quote.decimals),
    state: closeReason === 'filled' ? 3 : 4,
    closeReason: closeReason ?? null,
    createdTime: order.createdAt,
    updatedTime: updatedAt,
  };
}

function averagePrice({
  filled,
  filledNotional,
  market,
  quote,
}: {
  filled: Lots;
  filledNotional: Atoms;
  market: Market;
  quote: Asset;
}): string | null {
  if (filled === NO_LOTS) return null;
  const decimals = market.pricePrecision + AVERAGE_DIGITS;
  const dividend = filledNotional * 10n ** BigInt(market.sizePrecision + decimals);
  return printDecimal(divFloor(dividend, BigInt(filled) * 10n ** BigInt(quote.decimals)), decimals);
}

export function printFill(row: Selectable<ProjectorTables['projector_fill']>, { market, base, quote }: Listing): Fill {
  const received = row.side === 'buy' ? base : quote;
  return {
    orderId: String(row.order_id),
    clientOrderId: row.client_order_id,
    execId: String(row.trade_id),
    symbol: market.symbol,
    quantity: printLots(lots(row.size), market.sizePrecision),
    price: printTicks(ticks(row.price), market.pricePrecision),
    value: amount(row.notional, quote),
    fee: amount(row.fee, received),
    feeCoin: received.code,
    orderSide: DIRECTIONS[row.side as Side],
    takerMaker: row.role as Fill['takerMaker'],
    timestamp: row.at,
  };
}

export const printBill = (row: Selectable<ProjectorTables['projector_bill']>, asset: Asset): Bill => ({
  id: String(row.id),
  seq: row.seq,
  coin: asset.code,
  account: row.wallet as Bill['account'],
  type: row.kind as BillKind,
  amount: amount(row.amount, asset),
  afterAmount: amount(row.after_amount, asset),
  reference: row.reference,
  createdTime: row.at,
});

export const printTransfer = (row: Selectable<ProjectorTables['projector_transfer']>, asset: Asset): Transfer => ({
  transferId: row.transfer_id,
  coin: asset.code,
  amount: amount(row.amount, asset),
  from: row.from_wallet as Transfer['from'],
  to: row.to_wallet as Transfer['to'],
  createdTime: row.at,
});

export const printWithdrawal = (row: Selectable<ProjectorTables['projector_withdrawal']>, asset: Asset): Withdrawal => ({
  withdrawalId: row.withdrawal_id,
  coin: asset.code,
  amount: amount(row.amount, asset),
  to: row.to_address,
  state: row.state as Withdrawal['state'],
  txHash: row.tx_hash,
  createdTime: row.created_at,
  updatedTime: row.updated_at,
});

const amount = (text: string, asset: Asset): string => printAtoms(atoms(BigInt(text)), asset.decimals);
