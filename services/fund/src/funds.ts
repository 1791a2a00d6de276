/** The service put together: what funds are worth and who holds them, beside the money of it, which is the engine's. */
import { ApiError, fundRoutes, type Handlers } from '@orrery/api';
import { type LeasePort, repeat } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { seq } from '@orrery/units';
import { FundAccounts } from './accounts.ts';
import { forgetDealings } from './dealings.ts';
import { FundFollower } from './follower.ts';
import { LeaderWatch } from './leader-watch.ts';
import { LiveFunds } from './live.ts';
import type { FundPlan } from './plans.ts';
import { FundReads } from './reads.ts';
import { FundRequests } from './requests.ts';
import { type FundDb, migrations } from './tables.ts';

const HOLDINGS_EVERY_MS = 60_000;
/** Holdings are kept until they are shown, and a while longer. */
const HOLDINGS_KEPT_MS = 3_600_000;
const PAGE_SIZE = 10;

const routes = { fund: fundRoutes };

export interface FundsOptions {
  readonly heart: Heart;
  readonly db: FundDb;
  /** Names, strategies and risks in words. */
  readonly plans: readonly FundPlan[];
  /** Of all processes on the database one keeps what funds have. */
  readonly leases: LeasePort;
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

export interface Funds {
  readonly handlers: { readonly fund: Handlers<typeof fundRoutes> };
  readonly accounts: Pick<FundAccounts, 'leaderOf' | 'all'>;
  readonly leaders: LeaderWatch;
  /** Resolves when everything that was history at the call is in SQL. */
  caughtUp(): Promise<void>;
  /** Keeps what each fund has now, to be shown ten minutes later; also runs automatically. */
  keepHoldings(): Promise<void>;
  stop(): Promise<void>;
}

/** The tables must be there: see `migrations`. */
export async function openFunds({ heart, db, plans, leases, now, onTrouble }: FundsOptions): Promise<Funds> {
  const live = new LiveFunds(heart);
  live.start(onTrouble);
  const reads = new FundReads({ db, live, plans, now });
  const btcMarket = live.markets.marketBySymbol('BTC_USDC')?.market.market;
  const accounts = new FundAccounts(db);
  await accounts.load();
  const onChange = async (): Promise<void> => {
    reads.forget();
    await accounts.load();
  };
  const follower = new FundFollower({ heart, db, btcMarket, onChange, onTrouble });
  await follower.start();
  const requests = new FundRequests({ heart, db, live, reads, follower });
  const keepHoldings = async (): Promise<void> => {
    const at = now();
    for (const fund of live.funds())
      await db
        .insertInto('fund_holdings')
        .values({ fund, at, holdings: JSON.stringify(live.holdings(fund)) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await db
      .deleteFrom('fund_holdings')
      .where('at', '<', at - HOLDINGS_KEPT_MS)
      .execute();
    await forgetDealings(db, at);
  };
  const caughtUp = async (): Promise<void> => follower.reached(await heart.end());
  const lease = await leases.open('holdings of funds');
  const timer = repeat({ every: HOLDINGS_EVERY_MS, lease, work: keepHoldings, onTrouble });
  return {
    accounts,
    leaders: new LeaderWatch({ heart, db, live, now, caughtUp }),
    handlers: { fund: handlersOf({ reads, requests, reached: readBarrier(heart, follower) }) },
    caughtUp,
    keepHoldings,
    async stop() {
      await timer.stop();
      await live.stop();
      await follower.stop();
    },
  };
}

interface HandlerParts {
  readonly reads: FundReads;
  readonly requests: FundRequests;
  /** Read your own writes: waits until the record includes the command. */
  readonly reached: (minSeq: number | undefined) => Promise<void>;
}

const handlersOf = ({ reads, requests, reached }: HandlerParts): Handlers<typeof fundRoutes> => ({
  fundList: () => reads.list(),
  fundDetail: ({ query: { fundId } }) => reads.detail(fundId),
  fundNav: ({ query: { fundId, range } }) => reads.nav(fundId, range),
  fundHoldings: ({ query: { fundId } }) => reads.holdings(fundId),
  async fundSubscribe({ principal: { account }, body, caller }) {
    const { requestId, earliest, seq: at } = await requests.subscribe(account, body);
    caller.committed(at);
    return { subscriptionId: requestId, earliest };
  },
  async fundRedeem({ principal: { account }, body, caller }) {
    const { requestId, earliest, seq: at } = await requests.redeem(account, body);
    caller.committed(at);
    return { redemptionId: requestId, earliest };
  },
  async fundMine({ principal: { account }, query: { fundId, minSeq } }) {
    await reached(minSeq);
    return reads.mine(account, fundId);
  },
  async fundHistory({ principal: { account }, query: { fundId, id, page = 1, pageSize = PAGE_SIZE, minSeq } }) {
    await reached(minSeq);
    return reads.history(account, { fundId, after: id, page, size: pageSize });
  },
  async fundHeartbeat({ principal: { account }, caller }) {
    const { fundId, seq: at } = await requests.heartbeat(account);
    caller.committed(at);
    return { fundId };
  },
});

const readBarrier =
  (heart: Heart, follower: FundFollower): HandlerParts['reached'] =>
  async (minSeq) => {
    if (minSeq === undefined) return;
    if (minSeq > heart.status().seq && minSeq > (await heart.end()))
      throw new ApiError('MalformedField', { field: 'minSeq', message: 'minSeq is not a number that history has reached' });
    await follower.reached(seq(minSeq));
  };

/** What the program mounts. */
export const fundService = { name: 'fund', routes, migrations, open: openFunds } as const;
