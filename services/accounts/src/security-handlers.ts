/** The calls about the second factor: logging in by it, and binding it. */
import { ApiError, type Handlers, type securityRoutes, STATEMENTS } from '@orrery/api';
import { readCookie } from './cookies.ts';
import { handOver, loginCallerOf, type Parts } from './handlers.ts';

export const securityHandlers = (parts: Parts): Handlers<typeof securityRoutes> => {
  const { factors, login, nameAccounts, sessions } = parts;
  return {
    async loginSecond({ body, caller }) {
      const { way: _, ...from } = loginCallerOf(caller, 'wallet');
      const { captcha, ...second } = body;
      if (second.codes.passkey === undefined) await nameAccounts.passGate(captcha, caller);
      const browser = readCookie('browser', caller) ?? '';
      return handOver(parts, caller, await login.completeSecond({ ...second, browser }, { ...from, origin: caller.origin }));
    },

    googleSecret: ({ principal }) => factors.totp.begin(principal.account, principal.address),

    async bindGoogle({ principal, body, caller }) {
      const { account } = principal;
      const { code, current, ...given } = body;
      if (factors.totp.isBound(account) && [current, given.passkey, given.backup].every((each) => each === undefined))
        throw new ApiError('MissingField', { field: 'current' });
      await nameAccounts.checkForFactors(
        principal,
        { ...given, google: current },
        { caller, purpose: 'security', statement: STATEMENTS.security },
      );
      let withdrawalsHeldUntil = 0;
      await factors.totp.bind(account, code, async (tx) => {
        withdrawalsHeldUntil = await factors.holds.begin(account, tx);
      });
      const backupCodes = await factors.backupCodes.renew(account);
      await sessions.learnOf(account);
      for (const { sessionId } of sessions.of(account)) if (sessionId !== principal.credential) await sessions.end(sessionId);
      nameAccounts.notify(account, 'appBound', caller);
      return { backupCodes, withdrawalsHeldUntil };
    },
  };
};
