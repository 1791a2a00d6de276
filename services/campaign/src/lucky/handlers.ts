/** The calls about lucky blocks. What was decided is public, with its reason. */
import { type Handlers, LUCKY_BLOCK_POINTS, LUCKY_PREFIXES, type LuckyBlock, type luckyBlockRoutes } from '@orrery/api';
import type { Address } from '@orrery/units';
import { checkOwn } from '../members/check-own.ts';
import type { Announcements } from './announcements.ts';
import type { LuckyBlocks, LuckyDecision } from './blocks.ts';
import type { LuckyFind, LuckyFindsPort } from './finds.ts';
import { WINNERS_PER_DAY } from './rule.ts';

export interface LuckyReads {
  readonly blocks: LuckyBlocks;
  readonly finds: LuckyFindsPort;
  readonly announcements: Announcements;
  readonly excluded: ReadonlySet<Address>;
  /** Who seals the blocks. */
  readonly chain: 'ours' | 'foreign';
  readonly now: () => number;
}

const CONDITIONS =
  'The sender of the first chain transaction of a lucky block wins, when the sender has an account that is not blocked, the chain ' +
  'transaction is neither empty nor sent to its own sender, and the account has made a trade with a fee on the UTC day of the block ' +
  'before the announcement. One reward for an address and UTC day of block time, and one for a cluster: addresses that belong to one ' +
  'hand, as far as money from or to the same address, invitations, or trading with one another beyond chance show by the announcement. ' +
  `At most ${WINNERS_PER_DAY} rewards are given for the lucky blocks of one UTC day, in the order of the blocks. When more blocks are lucky than ` +
  'chance explains, nothing is paid until an operator has looked at it. Every lucky block, and what was decided about it, is listed.';

/** About one hash in 6,554 is lucky, and one machine tries hundreds of thousands in a second. */
const GRINDING = {
  ours:
    'The exchange itself seals the blocks of this chain, at least two seconds apart. Whoever seals blocks could try ' +
    'until a hash is lucky, within a fraction of a second: so its own addresses are excluded, and a sender who is lucky more often than ' +
    'chance explains is examined.',
  foreign:
    'Whoever seals the blocks of a chain could try until a hash is lucky: so addresses of the exchange are excluded, and a sender who is ' +
    'lucky more often than chance explains is examined.',
} as const;

const PAUSED = 'won; awards are paused until an operator has looked at more lucky blocks than chance explains';

export function luckyBlockHandlers(reads: LuckyReads): Handlers<typeof luckyBlockRoutes> {
  const { announcements, excluded, chain, now } = reads;
  return {
    luckyBlocks: ({ body }) => pageOf(reads, body),

    ownLuckyBlocks({ principal, body }) {
      checkOwn(principal, body.walletAddress, 'walletAddress');
      return pageOf(reads, { ...body, sender: principal.address });
    },

    luckyBlockRules: async () => ({
      prefixes: [...LUCKY_PREFIXES],
      points: LUCKY_BLOCK_POINTS,
      winnersPerDay: WINNERS_PER_DAY,
      isPaused: await reads.blocks.alarms.arePausing(),
      announcedAt: announcements.inWords(),
      nextAnnouncementAt: announcements.firstAfter(now()),
      excluded: [...excluded],
      disclosure: `${CONDITIONS} ${GRINDING[chain]}`,
    }),
  };
}

export async function pageOf(
  { blocks, finds, announcements }: Pick<LuckyReads, 'blocks' | 'finds' | 'announcements'>,
  { page = 1, pageSize = 10, sender }: { page?: number; pageSize?: number; sender?: Address },
): Promise<{ list: LuckyBlock[]; total: number }> {
  const found = await finds.page({ page, pageSize, ...(sender !== undefined && { sender }) });
  const decisions = await blocks.decisions(found.list.map(({ blockHash }) => blockHash));
  const isPaused = await blocks.alarms.arePausing();
  return {
    list: found.list.map((find) => ({
      blockId: find.blockNumber,
      blockHash: find.blockHash,
      txHash: find.transaction?.hash ?? null,
      blockTime: Math.floor(find.blockTime / 1_000),
      createdTime: Math.floor(find.foundAt / 1_000),
      winner: find.transaction?.sender ?? null,
      ...outcomeOf(find, { decision: decisions.get(find.blockHash), announcements, isPaused }),
    })),
    total: found.total,
  };
}

function outcomeOf(
  { isTakenBack, transaction, blockTime }: LuckyFind,
  { decision, announcements, isPaused }: { decision: LuckyDecision | undefined; announcements: Announcements; isPaused: boolean },
): Pick<LuckyBlock, 'decision' | 'reason' | 'points'> {
  const isPaid = decision !== undefined && decision.paid_at !== null;
  const points = isPaid ? LUCKY_BLOCK_POINTS : 0;
  if (isTakenBack) return { points, decision: 'REORGED', reason: `the chain took the block back${isPaid ? ' after it was paid' : ''}` };
  if (transaction === undefined) return { points, decision: 'REFUSED', reason: 'the block has no chain transaction' };
  if (isPaid) return { points, decision: 'PAID', reason: '' };
  if (decision?.decision === 'refused') return { points, decision: 'REFUSED', reason: decision.reason };
  if (decision !== undefined) return { points, decision: 'WAITING', reason: isPaused ? PAUSED : 'won; the points are on their way' };
  const at = new Date(announcements.firstAfter(blockTime)).toISOString();
  return { points, decision: 'WAITING', reason: `to be announced at ${at}` };
}
