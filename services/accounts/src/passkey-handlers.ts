/** The calls about passkeys. */
import { ADD_PASSKEY_STATEMENT, type Handlers, type passkeyRoutes, REMOVE_PASSKEY_STATEMENT } from '@orrery/api';
import { siteOf } from '@orrery/foundation/passkey-checks';
import { readCookie } from './cookies.ts';
import { CHANGE, releasePurpose, withdrawalPurpose } from './factors/factors.ts';
import type { Parts } from './handlers.ts';

export const passkeyHandlers = ({ factors, login, nameAccounts }: Parts): Handlers<typeof passkeyRoutes> => {
  const { passkeys, backupCodes } = factors;
  return {
    async passkeys({ principal: { account } }) {
      const list = await passkeys.list(account);
      return { list, total: list.length };
    },

    passkeyOptions: ({ principal: { account, address }, caller: { origin } }) => passkeys.creation(account, { origin, label: address }),

    async addPasskey({ principal, body, caller }) {
      const { account, credential } = principal;
      const { name, credentialId, clientData, attestation, ...given } = body;
      const isFirst = !factors.has(account);
      await nameAccounts.checkForFactors(principal, given, { caller, purpose: 'security', statement: ADD_PASSKEY_STATEMENT });
      const facts = await passkeys.made(account, { credentialId, clientData, attestation }, caller.origin);
      const owned = { account, credentialId: facts.credentialId };
      const made = { ...facts, name, site: siteOf(caller.origin) };
      const after = { keep: credential, event: 'passkeyAdded', caller } as const;
      const withdrawalsHeldUntil = await nameAccounts.change(account, (tx) => passkeys.insert(account, made, tx), after);
      passkeys.added(owned);
      const passkey = (await passkeys.list(account)).find((each) => each.credentialId === facts.credentialId);
      if (passkey === undefined) throw new Error('a passkey that was bound is not there');
      return { passkey, backupCodes: isFirst ? await backupCodes.renew(account) : [], withdrawalsHeldUntil };
    },

    async renamePasskey({ principal: { account }, body: { credentialId, name } }) {
      await passkeys.rename({ account, credentialId }, name);
      return { credentialId };
    },

    async removePasskey({ principal, body, caller }) {
      const { account, credential } = principal;
      const { credentialId, ...given } = body;
      const owned = { account, credentialId };
      passkeys.checkOwn(owned);
      await nameAccounts.checkForFactors(principal, given, { caller, purpose: 'security', statement: REMOVE_PASSKEY_STATEMENT });
      const after = { keep: credential, event: 'passkeyRemoved', caller } as const;
      const withdrawalsHeldUntil = await nameAccounts.change(account, (tx) => passkeys.remove(owned, tx), after);
      passkeys.removed(owned);
      if (!factors.has(account)) await backupCodes.remove(account);
      return { withdrawalsHeldUntil };
    },

    passkeyChallenge({ principal: { account }, body: { withdrawal, otcRelease }, caller: { origin } }) {
      passkeys.checkAny(account);
      if (withdrawal !== undefined) return passkeys.request(account, { origin, purpose: withdrawalPurpose(withdrawal) });
      return passkeys.request(account, { origin, purpose: otcRelease === undefined ? CHANGE : releasePurpose(otcRelease) });
    },

    loginPasskey: ({ body: { loginId }, caller }) =>
      login.askPasskey({ loginId, browser: readCookie('browser', caller) ?? '' }, caller.origin),
  };
};
