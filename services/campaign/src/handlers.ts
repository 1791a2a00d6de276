/** The calls of this service. */
import {
  addressField,
  type AwardNews,
  type Caller,
  type CompletedTask,
  type faucetRoutes,
  type Handlers,
  type inviteRoutes,
  type taskRoutes,
  type whitelistRoutes,
} from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { Address } from '@orrery/units';
import type { Award, Awards, PointsEntry } from './awards/awards.ts';
import { checkOwn } from './members/check-own.ts';
import type { Faucet } from './faucet/faucet.ts';
import type { Invites } from './members/invites.ts';
import { offerOf, type TaskCatalogue } from './tasks/catalogue.ts';
import type { Tasks } from './tasks/tasks.ts';
import type { Whitelist } from './whitelist/whitelist.ts';

const MS_PER_SECOND = 1_000;

/** Who is signed in. */
export interface SessionPort {
  /** The address whose live session this token opens. */
  addressOf(token: string): Address | undefined;
}

interface WhitelistParts {
  readonly whitelist: Whitelist;
  readonly sessions: SessionPort;
}

export const whitelistHandlers = ({ whitelist, sessions }: WhitelistParts): Handlers<typeof whitelistRoutes> => ({
  async checkWhitelist({ body, caller: { bearer } }) {
    const owned = bearer === undefined ? undefined : sessions.addressOf(bearer);
    return { inWhitelist: await whitelist.check({ address: addressField(body.address, 'address'), email: body.email, owned }) };
  },
});

export const faucetHandlers = (faucet: Faucet): Handlers<typeof faucetRoutes> => ({
  claim({ principal, body }) {
    if (body.address !== undefined) checkOwn(principal, body.address, 'address');
    return faucet.claim(principal);
  },
  faucetStatus: ({ query }) => faucet.status(addressField(query.address, 'address')),
});

interface TaskParts {
  readonly tasks: Tasks;
  readonly catalogue: TaskCatalogue;
  readonly awards: Awards;
  readonly now: () => number;
}

export const taskHandlers = ({ tasks, catalogue, awards, now }: TaskParts): Handlers<typeof taskRoutes> => ({
  taskStatus({ principal, body }) {
    checkOwn(principal, body.walletAddress, 'walletAddress');
    return tasks.statuses(principal);
  },

  taskList({ principal, body }) {
    checkOwn(principal, body.walletAddress, 'walletAddress');
    return tasks.list(principal);
  },

  taskCatalogue: async () => (await catalogue.offered()).map(offerOf),

  claimTask({ principal, body }) {
    checkOwn(principal, body.walletAddress, 'walletAddress');
    return tasks.claim(principal, body.taskCode);
  },

  taskCount({ principal, body }) {
    checkOwn(principal, body.walletAddress, 'walletAddress');
    return tasks.count(principal);
  },

  async completedTasks({ principal, body }) {
    checkOwn(principal, body.walletAddress, 'walletAddress');
    const { account } = principal;
    const { list, total } = await awards.history({ account, page: body.page ?? 1, size: body.pageSize ?? 10 });
    return { list: list.map(completedTask), total };
  },

  async awardNews({ principal, body }) {
    checkOwn(principal, body.walletAddress, 'walletAddress');
    return (await awards.news(principal.account)).map(newsOf);
  },

  async awardSeen({ principal, body }) {
    checkOwn(principal, body.walletAddress, 'walletAddress');
    await awards.seen({ account: principal.account, key: body.awardId, at: now() });
    return true;
  },
});

interface InviteParts {
  readonly invites: Invites;
  readonly awards: Awards;
  readonly members: AccountDirectory;
}

export const inviteHandlers = ({ invites, awards, members }: InviteParts): Handlers<typeof inviteRoutes> => ({
  async inviteInfo({ principal, caller }) {
    const { account } = principal;
    const inviteCode = await invites.codeOf(account);
    const { sum } = await awards.tally({ account, kind: 'TASK', prefix: INVITE_AWARDS });
    return {
      inviteCode,
      inviteUrl: inviteUrlOf(caller, inviteCode),
      invited: await invites.invitedBy(account),
      reward: sum,
    };
  },
  async invitedList({ principal, query }) {
    const { account: inviter } = principal;
    const list = await invites.listInvitedBy({ inviter, page: query.page ?? 1, size: query.pageSize ?? 10 });
    const items = list.map(({ account, boundAt, hasTraded }) => ({
      address: shortened(members.get(account)?.address ?? ''),
      boundTime: boundAt,
      hasTraded,
    }));
    return { items, total: await invites.invitedBy(inviter) };
  },
  async inviteUrl({ principal, caller }) {
    return { inviteUrl: inviteUrlOf(caller, await invites.codeOf(principal.account)) };
  },
  async inviteCount({ principal }) {
    return { count: await invites.invitedBy(principal.account) };
  },
  async inviteRewards({ principal: { account }, query }) {
    const { list, total } = await awards.history({ account, page: query.page ?? 1, size: query.pageSize ?? 10, prefix: INVITE_AWARDS });
    const { sum } = await awards.tally({ account, kind: 'TASK', prefix: INVITE_AWARDS });
    return { items: list.map(completedTask), total, rewardAmount: sum };
  },
  async invitations({ principal }) {
    const found = await invites.inviterOf(principal.account);
    if (found === undefined) return { items: [], total: 0 };
    return { items: [{ address: shortened(members.get(found.inviter)?.address ?? ''), boundTime: found.boundAt }], total: 1 };
  },
  async bindInvite({ principal, body }) {
    await invites.bind({ account: principal.account, code: body.inviteCode });
    return true;
  },
});

/** Keys of the awards for invitations. */
const INVITE_AWARDS = 'task:INVITE_';

const inviteUrlOf = ({ origin }: Pick<Caller, 'origin'>, code: string): string => `${origin}/register?inviteCode=${code}`;

const shortened = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

export const newsOf = ({ key, kind, points, name, at }: Award): AwardNews => ({
  awardId: key,
  kind,
  points,
  title: JSON.stringify(name),
  at,
});

export const completedTask = ({ at, name, points }: PointsEntry): CompletedTask => ({
  completedAt: Math.floor(at / MS_PER_SECOND),
  taskName: JSON.stringify(name),
  reward: points,
});
