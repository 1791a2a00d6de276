/** What history keeps of the accounts of the house in place of rows: see `house.ts`. Amounts are atoms, prices ticks, sizes lots, times unix milliseconds. */
export interface HouseTables {
  /** The newest trades of a market of which both sides are the house: the place of each is its number modulo how many are kept. */
  projector_house_trade: {
    market: number;
    slot: number;
    /** Counts such trades of the market. */
    number: number;
    trade_id: number;
    price: number;
    size: number;
    /** Of the taker. */
    side: string;
    at: number;
    seq: number;
  };
  /** All fills of an account of the house in a market in a UTC day. */
  projector_house_fill: {
    account: number;
    market: number;
    day_at: number;
    fills: number;
    size: string;
    notional: string;
    fee: string;
    contract_volume: string;
    close_profit: string;
  };
  /** The bills of trades of an account of the house in a UTC day: these have no rows of their own. */
  projector_house_bill: { account: number; wallet: string; asset: number; kind: string; day_at: number; bills: number; amount: string };
}

export const HOUSE_TABLES = [
  'projector_house_trade',
  'projector_house_fill',
  'projector_house_bill',
] as const satisfies readonly (keyof HouseTables)[];

/** Rows of the house from before stay until `npm run rebuild-history`. */
export const HOUSE_STATEMENTS = [
  // Half of a page stays free, so that a trade takes the place of an older one without a new entry in the index.
  `create table projector_house_trade (
    market int not null, slot int not null, number bigint not null, trade_id bigint not null, price bigint not null, size bigint not null,
    side text not null, at bigint not null, seq bigint not null, primary key (market, slot))
    with (fillfactor = 50)`,
  `create table projector_house_fill (
    account bigint not null, market int not null, day_at bigint not null, fills bigint not null, size numeric not null,
    notional numeric not null, fee numeric not null, contract_volume numeric not null, close_profit numeric not null,
    primary key (account, day_at, market))`,
  `create table projector_house_bill (
    account bigint not null, wallet text not null, asset int not null, kind text not null, day_at bigint not null, bills bigint not null,
    amount numeric not null, primary key (account, day_at, wallet, asset, kind))`,
];
