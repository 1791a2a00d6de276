/** Rows in the words and decimals of the public contract. */
import { DIRECTIONS, type Bill, type BillKind, type Fill, type Listing, type Transfer, type Withdrawal } from '@orrery/api';
import type { Asset, Side } from '@orrery/protocol';
import { atoms, lots, printAtoms, printLots, printTicks, ticks } from '@orrery/units';
import type { Selectable } from 'kysely';
import type { ProjectorTables } from './tables.ts';

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
  // What the chain paid has a transaction.
  internal: row.state === 'POSTED' && row.tx_hash === null,
  createdTime: row.created_at,
  updatedTime: row.updated_at,
});

const amount = (text: string, asset: Asset): string => printAtoms(atoms(BigInt(text)), asset.decimals);
