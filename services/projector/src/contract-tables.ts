/** Perpetual contracts in SQL. Money is settle atoms, sizes lots, prices ticks, times unix milliseconds. */
import type { ColumnType } from 'kysely';

/** JSON in the column; written as an object. */
type Json<Value> = ColumnType<Value | null, Value | null, Value | null>;

export interface ContractOrderColumns {
  /** `ContractOrderTerms`; null of spot orders. */
  contract: Json<Record<string, unknown>>;
  /** `SpotOrderTerms`; null of an order that has none. */
  spot: Json<Record<string, unknown>>;
}

export const SPOT_TERMS_STATEMENTS = ['alter table projector_order add column spot jsonb'];

export interface ContractTables {
  /** Leverage that accounts have set. */
  projector_leverage: { account: number; market: number; position_side: string; leverage: number };
  projector_margin_mode: { account: number; market: number; mode: string };
  /** The open ones, with what was closed of each since it was opened. */
  projector_position: {
    account: number;
    market: number;
    position_side: string;
    /** Below zero of a short one. */
    size: number;
    cost: string;
    fees: string;
    funding: string;
    opened_at: number;
    max_size: number;
    closed_size: number;
    closed_notional: string;
    released_cost: string;
    profit: string;
  };
  projector_closed_position: {
    /** The command that closed it. */
    seq: number;
    account: number;
    market: number;
    position_side: string;
    is_long: boolean;
    margin_mode: string;
    /** Null where the account had set none. */
    leverage: number | null;
    /** All that was opened of it, and so closed. */
    size: number;
    max_size: number;
    opened_notional: string;
    closed_notional: string;
    /** Fees and funding apart. */
    profit: string;
    fees: string;
    funding: string;
    cause: string;
    opened_at: number;
    closed_at: number;
  };
  projector_funding: {
    /** Of its bill. */
    id: number;
    account: number;
    market: number;
    position_side: string;
    interval_end: number;
    amount: string;
    at: number;
  };
  projector_funding_rate: { market: number; interval_end: number; rate_ppb: number; price: number; at: number };
  projector_liquidation: {
    seq: number;
    /** Among the events of its command. */
    place: number;
    liquidation_id: number;
    account: number;
    market: number;
    position_side: string;
    stage: string;
    mark: number;
    equity: string;
    maintenance: string;
    size: number;
    price: number;
    from_margin: string;
    from_liquidator: string;
    from_insurance: string;
    uncovered: string;
    at: number;
  };
  projector_deleveraging: {
    seq: number;
    place: number;
    liquidation_id: number;
    account: number;
    market: number;
    position_side: string;
    size: number;
    price: number;
    rank: number;
    profit: string;
    at: number;
  };
  /** TWAP orders, with what was filled of each when it ended. */
  projector_twap: {
    twap_id: number;
    account: number;
    market: number;
    client_order_id: string;
    side: string;
    position_side: string;
    size: number;
    minutes: number;
    reduce_only: boolean;
    accepted_at: number;
    filled: number;
    /** Null while it runs, and so is the reason. */
    closed_at: number | null;
    reason: string | null;
  };
  /** Each change of the insurance fund. */
  projector_insurance: {
    /** Its command and asset: 256 × seq + asset. */
    id: number;
    asset: number;
    /** In the fund after it. */
    amount: string;
    /** Below zero where it was taken. */
    change: string;
    cause: string;
    at: number;
  };
  /** Minutes of mark and index. */
  projector_price_candle: { market: number; source: string; open_time: number; open: number; high: number; low: number; close: number };
  /** What a position was at the end of an hour in which it changed. */
  projector_position_hour: { account: number; market: number; position_side: string; ends_at: number; size: number; cost: string };
  /** The last mark before the end of an hour. */
  projector_mark_price: { market: number; ends_at: number; price: number };
}

export const CONTRACT_TABLES = [
  'projector_leverage',
  'projector_margin_mode',
  'projector_position',
  'projector_closed_position',
  'projector_funding',
  'projector_funding_rate',
  'projector_liquidation',
  'projector_deleveraging',
  'projector_twap',
  'projector_insurance',
  'projector_price_candle',
  'projector_position_hour',
  'projector_mark_price',
] as const satisfies readonly (keyof ContractTables)[];

export const CONTRACT_STATEMENTS = [
  `alter table projector_order add column contract jsonb`,
  `alter table projector_fill add column contract_volume numeric`,
  `alter table projector_fill add column close_profit numeric`,
  `alter table projector_fill add column position_side text`,
  `alter table projector_bill add column market int`,
  `alter table projector_day add column contract_orders bigint not null default 0`,
  `alter table projector_day add column contract_trades bigint not null default 0`,
  `alter table projector_day add column contract_volume numeric not null default 0`,
  `alter table projector_day add column contract_maker_volume numeric not null default 0`,
  `alter table projector_hour add column futures_total numeric not null default 0`,
  `alter table projector_hour add column futures_net numeric not null default 0`,
  `create table projector_leverage (
    account bigint not null, market int not null, position_side text not null, leverage int not null,
    primary key (account, market, position_side))`,
  `create table projector_margin_mode (account bigint not null, market int not null, mode text not null, primary key (account, market))`,
  `create table projector_position (
    account bigint not null, market int not null, position_side text not null, size bigint not null, cost numeric not null,
    fees numeric not null, funding numeric not null, opened_at bigint not null, max_size bigint not null, closed_size bigint not null,
    closed_notional numeric not null, released_cost numeric not null, profit numeric not null,
    primary key (account, market, position_side))`,
  `create table projector_closed_position (
    seq bigint not null, account bigint not null, market int not null, position_side text not null, is_long boolean not null,
    margin_mode text not null, leverage int, size bigint not null, max_size bigint not null, opened_notional numeric not null,
    closed_notional numeric not null, profit numeric not null, fees numeric not null, funding numeric not null, cause text not null,
    opened_at bigint not null, closed_at bigint not null, primary key (account, seq, market, position_side))`,
  `create table projector_funding (
    id bigint primary key, account bigint not null, market int not null, position_side text not null, interval_end bigint not null,
    amount numeric not null, at bigint not null)`,
  `create index projector_funding_account on projector_funding (account, id desc)`,
  `create table projector_funding_rate (
    market int not null, interval_end bigint not null, rate_ppb bigint not null, price bigint not null, at bigint not null,
    primary key (market, interval_end))`,
  `create table projector_liquidation (
    seq bigint not null, place int not null, liquidation_id bigint not null, account bigint not null, market int not null,
    position_side text not null, stage text not null, mark bigint not null, equity numeric not null, maintenance numeric not null,
    size bigint not null, price bigint not null, from_margin numeric not null, from_liquidator numeric not null,
    from_insurance numeric not null, uncovered numeric not null, at bigint not null, primary key (seq, place))`,
  `create index projector_liquidation_account on projector_liquidation (account, seq desc)`,
  `create table projector_deleveraging (
    seq bigint not null, place int not null, liquidation_id bigint not null, account bigint not null, market int not null,
    position_side text not null, size bigint not null, price bigint not null, rank int not null, profit numeric not null,
    at bigint not null, primary key (seq, place))`,
  `create index projector_deleveraging_account on projector_deleveraging (account, seq desc)`,
  `create table projector_price_candle (
    market int not null, source text not null, open_time bigint not null, open bigint not null, high bigint not null, low bigint not null,
    close bigint not null, primary key (market, source, open_time))`,
  `create table projector_position_hour (
    account bigint not null, market int not null, position_side text not null, ends_at bigint not null, size bigint not null,
    cost numeric not null, primary key (account, ends_at, market, position_side))`,
  `create table projector_mark_price (
    market int not null, ends_at bigint not null, price bigint not null, primary key (market, ends_at))`,
];

export const TWAP_STATEMENTS = [
  `create table projector_twap (
    twap_id bigint primary key, account bigint not null, market int not null, client_order_id text not null, side text not null,
    position_side text not null, size bigint not null, minutes int not null, reduce_only boolean not null, accepted_at bigint not null,
    filled bigint not null, closed_at bigint, reason text)`,
  `create index projector_twap_account on projector_twap (account, twap_id desc)`,
];

export const INSURANCE_STATEMENTS = [
  `create table projector_insurance (
    id bigint primary key, asset int not null, amount numeric not null, change numeric not null, cause text not null, at bigint not null)`,
  `create index projector_insurance_asset on projector_insurance (asset, id desc)`,
];
