/** The ground of the tests of leaderboard campaigns: a heart with a house and six people, a clock that stands, and campaigns that can be restarted. */
import { ApiError, type Principal } from '@orrery/api';
import { AccountDirectory, localLeases } from '@orrery/foundation';
import { type AccountId, type Address, assetId, atoms, lots, marketId, millis, ppm, ticks } from '@orrery/units';
import { BalancesView, load } from '@orrery/views';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import type { Database } from '../../../../exchange/src/database.ts';
import { assetByCode, registerListing } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { Awards } from '../awards/awards.ts';
import type { Relations } from '../clusters/links.ts';
import { owners } from './owners.ts';
import { type Leaderboard, openLeaderboard } from '../leaderboard/leaderboard.ts';
import { type CampaignTables, migrations } from '../tables/tables.ts';
import { MINIMUMS, paidIn } from './paid-in.ts';

export const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];
export const WEEK = 7 * DAY;
/** A Wednesday. */
export const NOW = Date.UTC(2026, 10, 18, 10);
export const THIS_WEEK = 'week-2026-11-16';
export const BTC = marketId(1);
const PRICE = 500_000;
export const [HOUSE, ALICE, BOB, CAROL, DAVE, ERIN, FRANK] = [1, 2, 3, 4, 5, 6, 7];
const TABLES = [
  'campaign_period',
  'campaign_flow',
  'campaign_mark',
  'campaign_result',
  'campaign_withheld',
  'campaign_appeal',
  'campaign_apart',
  'campaign_award',
  'campaign_budget',
  'campaign_invite',
] as const;

export const addressOf = (n: number): Address => `0x${n.toString(16).padStart(40, '0')}` as Address;
export const call = (parts: object) => ({ principal: undefined, query: {}, body: {}, caller: undefined, ...parts }) as never;

export const reasonOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'none',
    (error: unknown) => (error instanceof ApiError ? `${error.data.reason} ${error.data.field}` : String(error)),
  );

/** New for each test of the file that asks for it. */
export function boardGround(): BoardGround {
  const ground = new BoardGround();
  beforeAll(async () => {
    ground.db = await temporaryDatabase<CampaignTables>(migrations);
  });
  afterAll(() => ground.db.close());
  beforeEach(ground.begin);
  afterEach(ground.end);
  return ground;
}

class BoardGround {
  declare db: Database<CampaignTables>;
  declare heart: MemoryHeart;
  declare members: AccountDirectory;
  declare clock: { now: number };
  declare board: Leaderboard;
  declare awards: Awards;
  links: { address: Address; counterparty: Address }[] = [];
  /** The fund of one, led by another. */
  funds: { fund: number; leader: number }[] = [];
  traces: Relations['traces'] = [];
  troubles: string[] = [];
  /** USDC of one cluster and day, of the campaigns that are made from then on. */
  volumeCap = 1_000_000n;
  readonly #accounts = new Map<number, AccountId>();

  readonly begin = async (): Promise<void> => {
    for (const table of TABLES) await this.db.sql.deleteFrom(table).execute();
    await this.db.sql.updateTable('campaign_flow_offset').set({ seq: 0 }).execute();
    this.clock = { now: NOW };
    this.links = [];
    this.funds = [];
    this.traces = [];
    this.troubles = [];
    this.volumeCap = 1_000_000n;
    this.heart = new MemoryHeart(() => this.clock.now);
    await registerListing(this.heart);
    await this.heart.submit({ type: 'SetIndexPrice', market: BTC, price: ticks(PRICE) });
    for (const n of [HOUSE, ALICE, BOB, CAROL, DAVE, ERIN, FRANK]) await this.#admit(n);
    this.members = new AccountDirectory(this.heart);
    this.members.start();
    await this.#open();
  };

  readonly end = async (): Promise<void> => {
    await this.board.stop();
    await this.members.stop();
    expect(this.troubles).toEqual([]);
  };

  readonly accountOf = (n: number): AccountId => this.#accounts.get(n) ?? expect.fail(`nobody is ${n}`);

  readonly principalOf = (n: number): Principal => ({
    account: this.accountOf(n),
    address: addressOf(n),
    via: 'session',
    credential: 's',
    permission: 'TRADE',
    tier: 'standard',
    endsAt: millis(0),
  });

  readonly reopen = async (pointsPerDay?: number): Promise<void> => {
    await this.board.stop();
    await this.#open(pointsPerDay);
  };

  /** The taker takes a number of hundredths of a BTC from an order of the maker that is `ageMs` old. */
  readonly trade = async (
    taker: number,
    maker: number,
    parts: { hundredths: number; side?: 'buy' | 'sell'; ageMs?: number; price?: number },
  ): Promise<void> => {
    const { hundredths, side = 'buy', ageMs = 10 * SECOND, price = PRICE } = parts;
    const order = {
      type: 'PlaceOrder',
      market: BTC,
      clientOrderId: '',
      orderType: 'limit',
      timeInForce: 'GTC',
      price: ticks(price),
      size: lots(hundredths * 1_000),
      funds: atoms(0n),
      triggerPrice: ticks(0),
      slippagePpm: ppm(0),
      selfTradePrevention: 'expireTaker',
    } as const;
    await this.heart.submit({ ...order, account: this.accountOf(maker), side: side === 'buy' ? 'sell' : 'buy' });
    this.clock.now += ageMs;
    const { events } = await this.heart.submit({ ...order, account: this.accountOf(taker), side });
    expect(events.some((event) => event.type === 'Trade')).toBe(true);
  };

  readonly setIndexPrice = async (times: number): Promise<void> => {
    await this.heart.submit({ type: 'SetIndexPrice', market: BTC, price: ticks(PRICE * times) });
  };

  readonly campaigns = () => this.board.handlers.leaderboardCampaigns(call({}));

  /** `2: 5000 → 500` is alice with 5,000 USDC, whose rank brings 500 points. What was computed before is out of date by then. */
  readonly ranking = async (name: 'VOLUME' | 'PNL' = 'VOLUME', campaignId = THIS_WEEK): Promise<readonly string[]> => {
    this.clock.now += 10 * MINUTE;
    await this.board.reached(this.heart.status().seq);
    return this.rankingAsKept(name, campaignId);
  };

  /** As a caller gets it, possibly from the cache. */
  readonly rankingAsKept = async (name: 'VOLUME' | 'PNL' = 'VOLUME', campaignId = THIS_WEEK): Promise<readonly string[]> => {
    const { list } = await this.board.handlers.leaderboardRanking(call({ query: { campaignId, board: name } }));
    return list.map(({ address, value, points }) => `${Number.parseInt(address, 16)}: ${value} → ${points}`);
  };

  readonly pointsOf = (n: number): number => {
    const balances = new BalancesView();
    const view = this.heart.open();
    load(view, balances);
    view.close();
    return Number(balances.get({ account: this.accountOf(n), wallet: 'funding', asset: assetByCode('POINTS').asset }).free);
  };

  #ledFunds(): readonly { readonly account: AccountId; readonly leader: AccountId }[] {
    return this.funds.map(({ fund, leader }) => ({ account: this.accountOf(fund), leader: this.accountOf(leader) }));
  }

  async #admit(n: number): Promise<void> {
    const { events } = await this.heart.submit({ type: 'OpenAccount', address: addressOf(n) });
    const opened = events.find((event) => event.type === 'AccountOpened');
    const account = opened?.account ?? expect.fail('no account was opened');
    this.#accounts.set(n, account);
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
      await this.heart.submit({ type: 'SetAccountFlag', account, flag, value: true });
    for (const [asset, amount] of [
      [assetId(1), atoms(10n ** 13n)],
      [assetId(2), atoms(10n ** 10n)],
    ] as const) {
      await this.heart.submit({ type: 'CreditDeposit', key: `d${n}:${asset}`, address: addressOf(n), asset, amount });
      await this.heart.submit({ type: 'Transfer', account, transferId: `t${asset}`, asset, amount, from: 'funding', to: 'spot' });
    }
  }

  async #open(pointsPerDay = 1_000_000): Promise<void> {
    const { heart, db, members } = this;
    const now = (): number => this.clock.now;
    this.awards = new Awards({ heart, db: db.sql, reads: db.sql, members, terms: { pointsPerDay }, now, onGiven: () => undefined });
    this.board = await openLeaderboard({
      heart,
      db: db.sql,
      reads: db.sql,
      members,
      awards: this.awards,
      keys: owners.keys,
      leases: localLeases(),
      terms: {
        reviewMs: WEEK,
        weeklyPrizes: [
          { fromRank: 1, toRank: 1, points: 500 },
          { fromRank: 2, toRank: 3, points: 100 },
        ],
        volumeCapPerDay: this.volumeCap * 1_000_000n,
      },
      money: paidIn(
        () => this.links,
        (address) => this.#accounts.get(Number.parseInt(address, 16)),
      ),
      fundingMinimums: MINIMUMS,
      traces: { all: () => Promise.resolve(this.traces) },
      houseAddresses: [addressOf(HOUSE)],
      funds: {
        leaderOf: (account) => this.#ledFunds().find((one) => one.account === account)?.leader,
        all: () => this.#ledFunds(),
      },
      now,
      onTrouble: (error) => this.troubles.push(String(error)),
    });
  }
}
