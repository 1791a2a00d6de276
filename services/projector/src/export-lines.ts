/** Rows of history as lines of the files of our own layout. */
import { tradeTypeOf } from '@orrery/api';
import type { ContractOrderTerms, OrderType, SpotOrderTerms } from '@orrery/protocol';
import { printDecimal } from '@orrery/units';
import type { Selectable } from 'kysely';
import type { ProjectorTables } from './tables.ts';
import { lineOf } from './export-csv.ts';
import { type MarketTerms, type Terms, time, word } from './export-terms.ts';

type Row<Table extends keyof ProjectorTables> = Selectable<ProjectorTables[Table]>;

const PPM_DECIMALS = 6;

export function fillLine(row: Row<'projector_fill'>, terms: Terms): string {
  const market = terms.market(row.market);
  const received = market.received[row.side as 'buy' | 'sell'];
  return lineOf('fills', {
    trade_id: String(row.trade_id),
    order_id: String(row.order_id),
    client_order_id: row.client_order_id,
    time: time(row.at),
    sequence: String(row.seq),
    ...named(market),
    side: row.side,
    position_side: row.position_side ?? '',
    role: word(row.role),
    price: market.price(row.price),
    price_coin: market.priceCoin,
    size: market.size(row.size),
    size_coin: market.sizeCoin,
    value: market.value(row.notional),
    value_coin: market.valueCoin,
    fee: terms.amount(received.asset, row.fee),
    fee_coin: received.code,
    realized_profit: row.close_profit === null ? '' : market.value(row.close_profit),
    realized_profit_coin: row.close_profit === null ? '' : market.valueCoin,
  });
}

export function orderLine(row: Row<'projector_order'>, terms: Terms): string {
  const market = terms.market(row.market);
  return lineOf('orders', {
    order_id: String(row.order_id),
    client_order_id: row.client_order_id,
    created_time: time(row.created_at),
    triggered_time: row.triggered_at === null ? '' : time(row.triggered_at),
    closed_time: time(row.updated_at),
    ...named(market),
    side: row.side,
    type: typeOf(row),
    time_in_force: word(row.time_in_force),
    price: market.price(row.price),
    price_coin: market.priceCoin,
    trigger_price: market.price(row.trigger_price),
    ordered_size: market.size(row.size),
    ordered_value: row.funds === '0' ? '' : market.value(row.funds),
    filled_size: market.size(row.filled) || '0',
    filled_value: market.value(row.filled_notional),
    size_coin: market.sizeCoin,
    value_coin: market.valueCoin,
    ...termsColumns(row, market),
    state: row.close_reason === 'filled' ? 'filled' : 'canceled',
    end_reason: row.close_reason === null ? '' : word(row.close_reason),
  });
}

const spotOf = ({ spot }: Row<'projector_order'>): SpotOrderTerms | undefined =>
  spot === null ? undefined : (spot as unknown as SpotOrderTerms);

/** A take-profit and a trailing stop of a spot market by the names that callers give them. */
function typeOf(row: Row<'projector_order'>): string {
  const spot = spotOf(row);
  return word(spot === undefined ? row.order_type : tradeTypeOf({ orderType: row.order_type as OrderType, spot }));
}

const NO_TERMS = {
  position_side: '',
  trigger_by: '',
  trailing_ratio: '',
  activation_price: '',
  take_profit_price: '',
  stop_loss_price: '',
  reduce_only: '',
  close_position: '',
  source: '',
  parent_order_id: '',
  group_id: '',
} as const;

type TermsColumns = Readonly<Record<keyof typeof NO_TERMS, string>>;

function termsColumns(row: Row<'projector_order'>, market: MarketTerms): TermsColumns {
  const spot = spotOf(row);
  if (spot !== undefined) return { ...NO_TERMS, ...sharedColumns(spot, market), activation_price: market.price(spot.activationPrice) };
  return row.contract === null ? NO_TERMS : contractColumns(row.contract as unknown as ContractOrderTerms, market);
}

/** What both kinds of terms have. */
const sharedColumns = (
  { trailingPpm, takeProfit, stopLoss, source, parent, group }: SpotOrderTerms | ContractOrderTerms,
  market: MarketTerms,
) => ({
  trailing_ratio: trailingPpm === 0 ? '' : printDecimal(BigInt(trailingPpm), PPM_DECIMALS),
  take_profit_price: market.price(takeProfit.triggerPrice),
  stop_loss_price: market.price(stopLoss.triggerPrice),
  source: word(source),
  parent_order_id: parent === 0 ? '' : String(parent),
  group_id: group === 0 ? '' : String(group),
});

function contractColumns(terms: ContractOrderTerms, market: MarketTerms): TermsColumns {
  const hasTrigger = terms.triggerDirection !== 'none' || terms.trailingPpm > 0;
  return {
    position_side: terms.positionSide,
    trigger_by: hasTrigger ? terms.triggerBy : '',
    ...sharedColumns(terms, market),
    activation_price: '',
    reduce_only: String(terms.reduceOnly),
    close_position: String(terms.closePosition),
  };
}

/** Chain, transaction and place in it. */
export const DEPOSIT_KEY = /^(\d+):(0x[0-9a-f]{64}):(\d+)$/;

const DEPOSIT_KINDS: ReadonlySet<string> = new Set(['DEPOSIT', 'DEPOSIT_SUSPENDED', 'DEPOSIT_WRITTEN_OFF']);
const AWARD_KINDS: ReadonlySet<string> = new Set(['AWARD', 'AWARD_REVERSAL']);

/** @returns undefined where the row is of another file */
export function billLine(file: 'bills' | 'deposits' | 'awards', row: Row<'projector_bill'>, terms: Terms): string | undefined {
  const moved = {
    bill_id: String(row.id),
    time: time(row.at),
    sequence: String(row.seq),
    type: word(row.kind),
    coin: terms.asset(row.asset).code,
    amount: terms.amount(row.asset, row.amount),
  };
  switch (file) {
    case 'bills':
      return lineOf('bills', {
        ...moved,
        wallet: word(row.wallet),
        balance_after: terms.amount(row.asset, row.after_amount),
        market: row.market === null ? '' : terms.market(row.market).symbol,
        trade_id: tradeOf(row),
        liquidation_id: liquidationOf(row),
        reference: row.reference,
      });
    case 'deposits': {
      const isInternal = row.kind === 'INTERNAL' && !row.amount.startsWith('-');
      if (!isInternal && !DEPOSIT_KINDS.has(row.kind)) return undefined;
      const [, chain = '', hash = '', log = ''] = DEPOSIT_KEY.exec(row.reference) ?? [];
      return lineOf('deposits', {
        ...moved,
        wallet: word(row.wallet),
        chain_id: chain,
        transaction_hash: hash,
        log_index: log,
        withdrawal_id: isInternal ? row.reference : '',
      });
    }
    case 'awards':
      return AWARD_KINDS.has(row.kind) ? lineOf('awards', { ...moved, award_id: row.reference }) : undefined;
  }
}

export function fundingLine(row: Row<'projector_funding'>, terms: Terms): string {
  const market = terms.market(row.market);
  return lineOf('funding', {
    bill_id: String(row.id),
    time: time(row.at),
    interval_end: time(row.interval_end),
    ...named(market),
    position_side: row.position_side,
    coin: market.valueCoin,
    amount: market.value(row.amount),
  });
}

export const withdrawalLine = (row: Row<'projector_withdrawal'>, terms: Terms): string =>
  lineOf('withdrawals', {
    withdrawal_id: row.withdrawal_id,
    created_time: time(row.created_at),
    updated_time: time(row.updated_at),
    sequence: String(row.seq),
    state: word(row.state),
    internal: String(row.state === 'POSTED' && row.tx_hash === null),
    coin: terms.asset(row.asset).code,
    amount: terms.amount(row.asset, row.amount),
    to_address: row.to_address,
    transaction_hash: row.tx_hash ?? '',
  });

const named = ({ symbol, product }: MarketTerms) => ({ market: symbol, product });

/** Kinds whose reference is a trade where it is a number: others refer to a day, an interval or what people name. */
const TRADED: ReadonlySet<string> = new Set(['TRADE', 'FEE', 'PROFIT', 'COLLATERAL', 'LIQUIDATION', 'TAKEOVER', 'DELEVERAGING']);
const NUMBER = /^\d+$/;

export const tradeOf = ({ kind, reference }: Pick<Row<'projector_bill'>, 'kind' | 'reference'>): string =>
  TRADED.has(kind) && NUMBER.test(reference) ? reference : '';

const LIQUIDATION = 'liquidation:';

const liquidationOf = ({ reference }: Pick<Row<'projector_bill'>, 'reference'>): string =>
  reference.startsWith(LIQUIDATION) ? reference.slice(LIQUIDATION.length) : '';
