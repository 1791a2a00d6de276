/** The calls about the second factor: logging in by it, and binding it. */
import { ApiError, type Handlers, type securityRoutes, STATEMENTS } from '@orrery/api';
import { readCookie } from './cookies.ts';
import { handOver, loginCallerOf, type Parts } from './handlers.ts';

export const securityHandlers = (parts: Parts): Handlers<typeof securityRoutes> => {
  const { factors, login, nameAccounts, sessions } = parts;
  return {
    async loginSecond({ body, caller }) {
      const { way: _, ...from } = loginCallerOf(caller, 'wallet');
      const browser = readCookie('browser', caller) ?? '';
      return handOver(parts, caller, await login.completeSecond({ ...body, browser }, from));
    },

    googleSecret: ({ principal }) => factors.totp.begin(principal.account, principal.address),

    async bindGoogle({ principal, body, caller }) {
      const { account } = principal;
      const { code, current, backup, ...signed } = body;
      const isBound = factors.totp.isBound(account);
      if (isBound && (current === undefined) === (backup === undefined)) throw new ApiError('MissingField', { field: 'current' });
      await nameAccounts.checkOwner(principal, signed, { caller, purpose: 'security', statement: STATEMENTS.security });
      if (isBound && current !== undefined) await factors.totp.check(account, current);
      if (isBound && backup !== undefined) await factors.backupCodes.use(account, backup);
      let withdrawalsHeldUntil = 0;
      await factors.totp.bind(account, code, async (tx) => {
        withdrawalsHeldUntil = await factors.holds.begin(account, tx);
      });
      const backupCodes = await factors.backupCodes.renew(account);
      for (const { sessionId } of sessions.of(account)) if (sessionId !== principal.credential) await sessions.end(sessionId);
      nameAccounts.notify(account, 'appBound', caller);
      return { backupCodes, withdrawalsHeldUntil };
    },
  };
};
