/** The calls about deleting the account. */
import { ERASURE_STATEMENT, type erasureRoutes, type Handlers } from '@orrery/api';
import type { Parts } from './handlers.ts';
import { maskedIp } from './login-record.ts';

export const erasureHandlers = ({ erasures, nameAccounts }: Parts): Handlers<typeof erasureRoutes> => ({
  async erasure({ principal }) {
    return { waitSeconds: erasures.waitSeconds, waiting: (await erasures.of(principal.account)) ?? null };
  },

  async eraseAccount({ principal, body: { abandon = false, ...proof }, caller }) {
    const { account } = principal;
    // Before a signature is used up.
    if (proof.nonce !== undefined || proof.currentPassword !== undefined) erasures.check({ account, abandon });
    await nameAccounts.checkFresh(principal, proof, { caller, purpose: 'erasure', statement: ERASURE_STATEMENT });
    return erasures.ask({ account, askedBy: 'OWNER', abandon }, { userAgent: caller.userAgent, ip: maskedIp(caller.neighbourhood) });
  },

  async keepAccount({ principal, caller }) {
    await erasures.keep(principal.account, { userAgent: caller.userAgent, ip: maskedIp(caller.neighbourhood) });
    return null;
  },
});
