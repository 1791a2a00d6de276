/** Lucky blocks put together: when they are decided, what people read of them, and what operators do. */
import type { FundPort } from '../ports.ts';
import type { Handlers, LuckyBlock, luckyBlockRoutes } from '@orrery/api';
import { type AccountDirectory, type Lease, repeat, type Repetition, whileHeld } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import type { Address } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { Awards } from '../awards/awards.ts';
import type { LuckyAlarm } from './alarms.ts';
import { Announcements } from './announcements.ts';
import { type ClustersPort, LuckyBlocks, type TradesPort } from './blocks.ts';
import type { LuckyFindsPort } from './finds.ts';
import { luckyBlockHandlers, pageOf } from './handlers.ts';
import type { CampaignTables } from '../tables/tables.ts';

/** What could not be done is tried again this often: a winner whose day had no budget left, a database that was away. */
const EVERY_MINUTE_CRON = '* * * * *';

export interface LuckyTerms {
  readonly finds: LuckyFindsPort;
  readonly trades: TradesPort;
  /** When winners are announced: a cron pattern, in UTC. */
  readonly announcedAt: string;
  /** Addresses of the exchange itself, which never win. */
  readonly excluded: readonly Address[];
  /** Who seals the blocks. */
  readonly chain: 'ours' | 'foreign';
}

export interface LuckyOperations {
  /** Every lucky block with its decision, newest first. `page` counts from 1. */
  decisions(query: { page: number; size: number }): Promise<{ list: readonly LuckyBlock[]; total: number }>;
  /** What chance does not explain, newest first. */
  alarms(): Promise<readonly LuckyAlarm[]>;
  /** An operator has looked at this number of lucky blocks of a day, such as 2026-11-22: they no longer pause the awards. */
  resume(looked: { period: string; blocks: number }): Promise<void>;
  /** Decides, pays and looks for alarms, as far as that is due. */
  runDue(): Promise<void>;
}

export interface Lucky {
  readonly handlers: Handlers<typeof luckyBlockRoutes>;
  readonly operations: LuckyOperations;
  /** Those of one sender, newest first. */
  page(query: { page?: number; pageSize?: number; sender: Address }): Promise<{ list: LuckyBlock[]; total: number }>;
  /** From now on what is due is done, beginning with what was missed. */
  start(): void;
  stop(): Promise<void>;
}

export interface LuckyParts {
  readonly heart: Heart;
  readonly db: Kysely<CampaignTables>;
  readonly members: AccountDirectory;
  readonly awards: Pick<Awards, 'give'>;
  readonly funds: Pick<FundPort, 'leaderOf'>;
  readonly clusters: ClustersPort;
  readonly terms: LuckyTerms;
  /** Of all processes on the database its holder decides and pays. */
  readonly lease: Lease;
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

export function openLucky({ terms, lease, ...parts }: LuckyParts): Lucky {
  const { now, onTrouble } = parts;
  const { finds, trades, chain } = terms;
  const announcements = new Announcements(terms.announcedAt);
  const excluded = new Set(terms.excluded);
  const blocks = new LuckyBlocks({ ...parts, finds, trades, announcements, excluded });
  const work = (): Promise<void> => blocks.runDue();
  const runDue = (): Promise<void> => whileHeld(lease, work);
  const times: Repetition[] = [];
  return {
    handlers: luckyBlockHandlers({ blocks, finds, announcements, excluded, chain, now }),
    operations: {
      decisions: ({ page, size }) => pageOf({ blocks, finds, announcements }, { page, pageSize: size }),
      alarms: () => blocks.alarms.list(),
      async resume(looked) {
        await blocks.alarms.resume(looked);
        // What waited is paid; what can not be is tried again by the clock.
        runDue().catch(onTrouble);
      },
      runDue,
    },
    page: (query) => pageOf({ blocks, finds, announcements }, query),
    start() {
      // Not waited for: the chain may not have been read yet, and may not answer.
      runDue().catch(onTrouble);
      for (const pattern of new Set([terms.announcedAt, EVERY_MINUTE_CRON])) {
        times.push(repeat({ every: pattern, lease, work, onTrouble }));
      }
    },
    async stop() {
      // First: what waits for the chain is not waited for.
      await blocks.stop();
      for (const time of times) await time.stop();
    },
  };
}
