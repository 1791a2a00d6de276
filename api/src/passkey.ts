/** Passkeys of an account, as a second factor: made, named, listed, removed, and what they are asked with. */
import { Type, type Static } from 'typebox';
import { AddressText, Coin, DecimalInput, HashText, listed, Millis, nullable, strict } from './fields.ts';
import { freshProof } from './name.ts';
import { OtcId, TraderId } from './otc-fields.ts';
import { Attestation, ClientData, CredentialId, NamedPasskeys, PasskeyCreation, PasskeyRequest } from './passkey-text.ts';
import { routes } from './route.ts';
import { BackupCode, LoginId } from './security.ts';

export const PASSKEYS_MAX = 10;
/** How long a challenge is answered. */
export const PASSKEY_CHALLENGE_MS = 5 * 60_000;

const PasskeyName = Type.String({ minLength: 1, maxLength: 40, pattern: '^[^\\u0000-\\u001f\\u007f]{1,40}$' });

export const Passkey = Type.Object({
  credentialId: Type.String(),
  name: Type.String(),
  site: Type.String({ description: 'the host for which its browser keeps it' }),
  createdTime: Millis,
  lastUsedTime: nullable(Millis),
});
export type Passkey = Static<typeof Passkey>;

export const AskedPasskey = Type.Object({ ...PasskeyRequest.properties, allowCredentials: NamedPasskeys });
export type AskedPasskey = Static<typeof AskedPasskey>;

const own = { access: 'session', rate: 'manage', sameOrigin: true } as const;

export const passkeyRoutes = routes({
  passkeys: {
    method: 'GET',
    path: '/pro/u/security/passkey/list',
    access: 'session',
    rate: 'read',
    summary: 'Your passkeys, oldest first.',
    response: listed(Passkey),
  },
  passkeyOptions: {
    ...own,
    method: 'POST',
    path: '/pro/u/security/passkey/options',
    summary: 'What a passkey is made with; good for five minutes, once.',
    body: strict({}),
    response: Type.Object({ ...PasskeyCreation.properties, excludeCredentials: NamedPasskeys }),
  },
  addPasskey: {
    ...own,
    method: 'POST',
    path: '/pro/u/security/passkey/add',
    summary:
      'Bind a passkey that was made with the options, at most ten, with a signed nonce of purpose security or the password, and a factor where one is bound. ' +
      'The first factor brings ten backup codes. Other sessions end, and withdrawals are held for 24 hours. From then on every login asks for a second ' +
      'factor, and a withdrawal for a passkey.',
    body: strict({
      name: PasskeyName,
      credentialId: CredentialId,
      clientData: ClientData,
      attestation: Attestation,
      backup: Type.Optional(BackupCode),
      ...freshProof,
    }),
    response: Type.Object({
      passkey: Passkey,
      backupCodes: Type.Array(BackupCode, { description: 'shown once; none where a factor was bound before' }),
      withdrawalsHeldUntil: Millis,
    }),
  },
  renamePasskey: {
    ...own,
    method: 'POST',
    path: '/pro/u/security/passkey/rename',
    summary: 'Give a passkey another name.',
    body: strict({ credentialId: CredentialId, name: PasskeyName }),
    response: Type.Object({ credentialId: Type.String() }),
  },
  removePasskey: {
    ...own,
    method: 'POST',
    path: '/pro/u/security/passkey/remove',
    summary:
      'Remove a passkey, with a signed nonce of purpose security or the password, and a factor: it may be this passkey. Other sessions end, and withdrawals ' +
      'are held for 24 hours. With the last factor the backup codes go.',
    body: strict({ credentialId: CredentialId, backup: Type.Optional(BackupCode), ...freshProof }),
    response: Type.Object({ withdrawalsHeldUntil: Millis }),
  },
  passkeyChallenge: {
    ...own,
    method: 'POST',
    path: '/pro/u/security/passkey/challenge',
    summary:
      'What a passkey is proven with, in the place of a code: of exactly this withdrawal or release of an OTC order where one is given, and of a change of the account otherwise. ' +
      'Good for five minutes, once; a later one for the same voids it.',
    body: strict({
      withdrawal: Type.Optional(strict({ withdrawalId: HashText, coin: Coin, amount: DecimalInput, to: AddressText })),
      otcRelease: Type.Optional(strict({ orderId: OtcId, coin: Coin, amount: DecimalInput, buyer: TraderId })),
    }),
    response: AskedPasskey,
  },
  loginPasskey: {
    method: 'POST',
    path: '/pro/p/account/login/passkey',
    access: 'public',
    rate: 'auth',
    sameOrigin: true,
    summary: 'What a passkey is proven with at the second step of a login; in the browser that made the first.',
    body: strict({ loginId: LoginId }),
    response: AskedPasskey,
  },
});
