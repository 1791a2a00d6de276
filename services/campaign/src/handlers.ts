/** The calls of this service. */
import type { CompletedTask, faucetRoutes, Handlers, taskRoutes, whitelistRoutes } from '@orrery/api';
import { atoms, printAtoms } from '@orrery/units';
import type { Award, Awards } from './awards.ts';
import { addressOf, checkOwn } from './check-own.ts';
import type { Faucet } from './faucet.ts';
import type { Members } from './members.ts';
import { countDone, type DeedsPort, taskStatuses } from './tasks.ts';
import type { Whitelist } from './whitelist.ts';

const QUOTE = 'USDC';
const MS_PER_SECOND = 1_000;

export const whitelistHandlers = (whitelist: Whitelist): Handlers<typeof whitelistRoutes> => ({
  async checkWhitelist({ body }) {
    return { inWhitelist: await whitelist.check({ address: addressOf(body.address, 'address'), email: body.email }) };
  },
});

export const faucetHandlers = (faucet: Faucet): Handlers<typeof faucetRoutes> => ({
  claim({ principal, body }) {
    if (body.address !== undefined) checkOwn(principal, body.address, 'address');
    return faucet.claim(principal);
  },
  faucetStatus: ({ query }) => faucet.status(addressOf(query.address, 'address')),
});

interface TaskParts {
  readonly deeds: DeedsPort;
  readonly members: Members;
  readonly awards: Awards;
}

export const taskHandlers = ({ deeds, members, awards }: TaskParts): Handlers<typeof taskRoutes> => ({
  async taskStatus({ principal, body }) {
    checkOwn(principal, body.walletAddress, 'walletAddress');
    return taskStatuses(await deeds.activity(principal.account));
  },

  async taskCount({ principal, body }) {
    checkOwn(principal, body.walletAddress, 'walletAddress');
    const done = await deeds.activity(principal.account);
    return {
      points: await awards.total(principal.account),
      completed: countDone(done),
      orders: done.orders,
      volume: printAtoms(atoms(done.volume), members.asset(QUOTE)?.decimals ?? 0),
    };
  },

  async completedTasks({ principal, body }) {
    checkOwn(principal, body.walletAddress, 'walletAddress');
    const { account } = principal;
    const { list, total } = await awards.history({ account, page: body.page ?? 1, size: body.pageSize ?? 10 });
    return { list: list.map(completedTask), total };
  },
});

const completedTask = ({ at, name, points }: Award): CompletedTask => ({
  completedAt: Math.floor(at / MS_PER_SECOND),
  taskName: JSON.stringify(name),
  reward: points,
});
