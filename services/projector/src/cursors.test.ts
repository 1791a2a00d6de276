/** Histories by a cursor, on every call that has one: while newer rows arrive, no row comes twice and none is missing. */
import { contract, type Route } from '@orrery/api';
import type { Contract } from '@orrery/protocol';
import { accountId, assert, assetId, marketId } from '@orrery/units';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACTS } from '../../../exchange/src/listing.ts';
import type { Row } from './batch.ts';
import type { History } from './index.ts';
import { Room, type StartedProjector } from './testing/room.ts';

const ALICE = accountId(1);
const [BTC_USDC, PERPETUAL] = [marketId(1), marketId(101)];
const USDC = assetId(1);
const DAY = 1_795_046_400_000;
const SIZE = 3;
const ROWS = 10;

interface Part {
  readonly items: readonly object[];
  readonly next: string | null;
}

interface Listed {
  /** Row `n` of the history; a higher number is newer. */
  readonly insert: (n: number) => Promise<unknown>;
  readonly read: (of: { readonly page: number; readonly id?: string }) => Promise<Part>;
}

let room: Room;
let projector: StartedProjector;
let history: History;

beforeAll(async () => {
  room = await Room.open();
  await room.begin();
  const [perpetual] = CONTRACTS.filter((terms: Contract) => terms.market === PERPETUAL);
  assert(perpetual !== undefined, 'the contract is listed');
  await room.heart.submit({ type: 'RegisterContract', ...perpetual });
  projector = await room.start();
  await room.caughtUp(projector);
  ({ history } = projector);
});
afterAll(async () => {
  await projector.stop();
  await room.db.close();
});

/** Beyond what the journal of the room has. */
const FIRST = 1_000_000;

const insertOf =
  <Table extends 'projector_order' | 'projector_fill' | 'projector_bill' | 'projector_transfer' | 'projector_withdrawal' | ContractTable>(
    table: Table,
    rowOf: (n: number) => Row<Table>,
  ) =>
  (n: number) =>
    room.db.sql.insertInto(table).values(rowOf(n)).execute();

type ContractTable =
  | 'projector_closed_position'
  | 'projector_liquidation'
  | 'projector_twap'
  | 'projector_funding'
  | 'projector_funding_rate'
  | 'projector_insurance';

const orderRow = (n: number, market: number, terms: Record<string, unknown> | null): Row<'projector_order'> => ({
  order_id: n,
  account: ALICE,
  market,
  client_order_id: '',
  side: 'buy',
  order_type: 'limit',
  time_in_force: 'GTC',
  price: 1_000_000,
  size: 10_000,
  funds: '0',
  trigger_price: 0,
  slippage_ppm: 0,
  self_trade_prevention: 'expireTaker',
  created_at: DAY + n,
  status: 'closed',
  remaining: 0,
  filled: 10_000,
  filled_notional: '100000000',
  updated_at: DAY + n,
  close_reason: 'filled',
  unfilled_number: null,
  contract: terms,
  accepted_seq: n,
  triggered_seq: null,
  triggered_at: null,
  closed_seq: n,
});

const fillRow = (n: number, market: number, volume: string | null): Row<'projector_fill'> => ({
  trade_id: n,
  role: 'TAKER',
  account: ALICE,
  order_id: n,
  client_order_id: '',
  market,
  side: 'buy',
  price: 1_000_000,
  size: 10_000,
  notional: '100000000',
  fee: '1000',
  at: DAY + n,
  seq: n,
  contract_volume: volume,
  close_profit: volume === null ? null : '0',
  position_side: null,
});

const billRow = (n: number, wallet: string): Row<'projector_bill'> => ({
  id: n,
  seq: n,
  at: DAY + n,
  account: ALICE,
  wallet,
  asset: USDC,
  kind: 'FEE',
  amount: '-1',
  after_amount: '1',
  reference: String(n),
  market: null,
});

const one = { account: ALICE, size: SIZE } as const;
const cut = { limit: SIZE } as const;
const ofId = ({ id }: { readonly id?: string }) => (id === undefined ? {} : { id });

/** By the names of the calls. Fills and orders of both kinds lie in one table each: their numbers are apart. */
const HISTORIES: Readonly<Record<string, Listed>> = {
  orderHistory: {
    insert: insertOf('projector_order', (n) => orderRow(n, BTC_USDC, null)),
    read: (of) => history.orders({ ...one, ...of }),
  },
  fills: { insert: insertOf('projector_fill', (n) => fillRow(n, BTC_USDC, null)), read: (of) => history.fills({ ...one, ...of }) },
  bills: {
    insert: insertOf('projector_bill', (n) => billRow(n, 'spot')),
    read: (of) => history.bills({ ...one, ...of, wallet: 'spot', kind: 'FEE' }),
  },
  transfers: {
    insert: insertOf('projector_transfer', (n) => ({
      account: ALICE,
      transfer_id: `t-${n}`,
      asset: USDC,
      amount: '1',
      from_wallet: 'spot',
      to_wallet: 'funding',
      at: DAY + n,
      seq: n,
    })),
    read: (of) => history.transfers({ ...one, ...of }),
  },
  withdrawals: {
    insert: insertOf('projector_withdrawal', (n) => ({
      withdrawal_id: `w-${n}`,
      account: ALICE,
      asset: USDC,
      amount: '1',
      to_address: '0x',
      state: 'HELD',
      tx_hash: null,
      created_at: DAY + n,
      updated_at: DAY + n,
      seq: n,
    })),
    read: (of) => history.withdrawals({ ...one, ...of }),
  },
  futuresOrderHistory: {
    insert: insertOf('projector_order', (n) => orderRow(n + FIRST, PERPETUAL, { source: 'plain' })),
    read: (of) => history.contracts.orders({ ...one, ...of }),
  },
  planHistory: {
    insert: insertOf('projector_order', (n) => orderRow(n + 2 * FIRST, PERPETUAL, { source: 'plan' })),
    read: (of) => history.contracts.orders({ ...one, ...of, sources: ['plan'] }),
  },
  profitStopHistory: {
    insert: insertOf('projector_order', (n) => orderRow(n + 3 * FIRST, PERPETUAL, { source: 'takeProfit' })),
    read: (of) => history.contracts.orders({ ...one, ...of, sources: ['takeProfit', 'stopLoss'] }),
  },
  futuresFills: {
    insert: insertOf('projector_fill', (n) => fillRow(n + FIRST, PERPETUAL, '1')),
    read: (of) => history.contracts.fills({ ...one, ...of }),
  },
  positionHistory: {
    // Two of each command.
    insert: insertOf('projector_closed_position', (n) => ({
      seq: Math.floor(n / 2),
      account: ALICE,
      market: PERPETUAL,
      position_side: n % 2 === 0 ? 'short' : 'long',
      is_long: true,
      margin_mode: 'cross',
      leverage: 10,
      size: 10_000,
      max_size: 10_000,
      opened_notional: '100000000',
      closed_notional: '100000000',
      profit: '0',
      fees: '0',
      funding: '0',
      cause: 'trade',
      opened_at: DAY,
      closed_at: DAY + n,
    })),
    read: (of) => history.contracts.closedPositions({ ...one, ...of }),
  },
  liquidations: {
    insert: insertOf('projector_liquidation', (n) => ({
      seq: Math.floor(n / 2),
      place: n % 2,
      liquidation_id: n,
      account: ALICE,
      market: PERPETUAL,
      position_side: 'both',
      stage: 'orderBook',
      mark: 1_000_000,
      equity: '0',
      maintenance: '0',
      size: 1,
      price: 0,
      from_margin: '0',
      from_liquidator: '0',
      from_insurance: '0',
      uncovered: '0',
      at: DAY + n,
    })),
    read: (of) => history.contracts.liquidations({ ...one, ...of }),
  },
  twapHistory: {
    insert: insertOf('projector_twap', (n) => ({
      twap_id: n,
      account: ALICE,
      market: PERPETUAL,
      client_order_id: '',
      side: 'buy',
      position_side: 'both',
      size: 10,
      minutes: 5,
      reduce_only: false,
      accepted_at: DAY + n,
      filled: 5,
      closed_at: DAY + n,
      reason: 'completed',
    })),
    read: (of) => history.contracts.twaps({ ...one, ...of }),
  },
  futuresBills: {
    insert: insertOf('projector_bill', (n) => billRow(n + FIRST, 'futures')),
    read: (of) => history.contracts.bills({ ...cut, account: ALICE, ...ofId(of) }),
  },
  fundingPayments: {
    insert: insertOf('projector_funding', (n) => ({
      id: n,
      account: ALICE,
      market: PERPETUAL,
      position_side: 'both',
      interval_end: DAY + n,
      amount: '1',
      at: DAY + n,
    })),
    read: (of) => history.contracts.fundingPayments({ ...cut, account: ALICE, ...ofId(of) }),
  },
  fundingRateRecord: {
    insert: insertOf('projector_funding_rate', (n) => ({
      market: PERPETUAL,
      interval_end: DAY + n,
      rate_ppb: 1,
      price: 1_000_000,
      at: DAY + n,
    })),
    read: (of) => history.contracts.fundingRates({ ...cut, market: PERPETUAL, ...ofId(of) }),
  },
  riskBalance: {
    insert: insertOf('projector_insurance', (n) => ({ id: n, asset: USDC, amount: '1', change: '1', cause: 'BUDGET', at: DAY + n })),
    read: (of) => history.contracts.insurance({ ...cut, asset: USDC, ...ofId(of) }),
  },
};

const textOf = (item: object): string =>
  JSON.stringify(item, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/** Of other services, with tests of their own there. */
const ELSEWHERE = new Set(['deposits', 'fundHistory', 'otcMessages']);

test('they are the calls that take a cursor', () => {
  const routes: Readonly<Record<string, Route>> = contract;
  const withCursor = Object.keys(routes).filter((name) => {
    const { query, response } = routes[name] as { query?: object; response: object };
    return isShape(query, 'id') && isShape(response, 'next') && !ELSEWHERE.has(name);
  });
  expect(Object.keys(HISTORIES).sort()).toEqual(withCursor.sort());
});

const isShape = (schema: object | undefined, field: string): boolean =>
  schema !== undefined && 'properties' in schema && field in (schema.properties as object);

describe.each(Object.entries(HISTORIES))('%s', (_name, { insert, read }) => {
  test('pages by the cursor have each row once while rows arrive', async () => {
    const before = (await read({ page: 1 })).items.length;
    for (let n = 1; n <= ROWS; n++) await insert(FIRST + n);
    const seen = new Set<string>();
    let [newest, count] = [ROWS, 0];
    let [id, next]: [string | undefined, string | null] = [undefined, null];
    do {
      const part: Part = await read({ page: 1, ...(id === undefined ? {} : { id }) });
      for (const item of part.items) seen.add(textOf(item));
      count += part.items.length;
      // An odd number of them: a command of two rows is cut in the middle.
      for (let more = 0; more < 3; more++) await insert(FIRST + ++newest);
      next = part.next;
      id = next ?? undefined;
    } while (next !== null);
    expect([count, seen.size]).toEqual([before + ROWS, before + ROWS]);
    // A cursor that is none is after every page.
    expect((await read({ page: 1, id: 'x' })).items).toEqual([]);
  });
});

test.each(Object.entries(HISTORIES))(
  '%s takes any cursor that the API lets through, of larger numbers than its rows can have too',
  async (_, { read }) => {
    const most = String(Number.MAX_SAFE_INTEGER);
    for (const id of [
      most,
      `${most}:${most}`,
      `0:${most}:both`,
      `${most}:0`,
      '0',
      '-1',
      '0x10',
      '1e3',
      ':',
      '1:',
      '::both',
      '1:2:3:4',
      'both',
    ])
      expect((await read({ page: 1, id })).items.length, id).toBeLessThanOrEqual(SIZE);
  },
);
