/** The calls about e-mail wallets: those of the page with a session, and those of the signing page with a ticket. */
import { ApiError, type Handlers, type walletRoutes } from '@orrery/api';
import { browserOf, loginCallerOf, type Parts } from './handlers.ts';
import { answerOf } from './name-handlers.ts';

export const walletHandlers = (parts: Parts): Handlers<typeof walletRoutes> => {
  const { login, nameAccounts, sessions, wallets } = parts;
  return {
    async walletTicket({ principal, body: { captcha, ...asked }, caller }) {
      if (asked.google !== undefined) await nameAccounts.passGate(captcha, caller);
      return { ticket: await wallets.issueTicket(principal, asked, caller) };
    },

    async walletEnter({ principal, caller }) {
      const address = wallets.successorOf(principal.account);
      if (address === undefined) throw new ApiError('UnknownThing', { field: 'wallet' });
      const outcome = await login.completeLogin({ address, ...loginCallerOf(caller, 'email') }, browserOf(caller));
      await sessions.endAll(principal.account);
      return answerOf(parts, outcome, caller);
    },

    walletCreate: ({ body, caller }) => wallets.create(body, caller),
    walletStretch: ({ body }) => wallets.stretch(body),
    walletShare: ({ body, caller }) => wallets.share(body, caller),
    walletRecover: ({ body, caller }) => wallets.recover(body, caller),
    walletRenew: ({ body, caller }) => wallets.renew(body, caller),
  };
};
