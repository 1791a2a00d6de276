/** The wallet of an account that an e-mail address opened: its key is in three shares, and the exchange keeps one of them and a sealed other. */
import { Type } from 'typebox';
import { GuardCaptcha } from './captcha.ts';
import { AddressText, Millis, Signature, strict } from './fields.ts';
import { PasskeyAnswer } from './passkey-text.ts';
import { routes } from './route.ts';
import { OneTimeCode, SecondStep } from './security.ts';

export const WALLET_TICKET_USES = ['create', 'sign', 'recover', 'export'] as const;
export type WalletTicketUse = (typeof WALLET_TICKET_USES)[number];

/** Where these calls are made: at the host of the signing page only. */
export const SIGNER_PATH = '/pro/p/wallet';
export const isSignerPath = (path: string): boolean => path.startsWith(`${SIGNER_PATH}/`);

const Secret = Type.String({ minLength: 43, maxLength: 43, pattern: '^[0-9A-Za-z_-]{43}$' });
const Share = Type.String({ minLength: 44, maxLength: 44, pattern: '^[0-9A-Za-z_-]{44}$', description: '33 bytes, base64url' });
const Recovery = Type.String({
  minLength: 16,
  maxLength: 512,
  pattern: '^v2[.][0-9A-Za-z_.-]{13,509}$',
  description: 'the recovery share as the signing page encrypted it under the passphrase, which the exchange stretched without seeing it',
});

/** Of a wallet from before passphrases were stretched by the exchange, until it is recovered once. */
const KeptRecovery = Type.String({ minLength: 16, maxLength: 512, pattern: '^[0-9A-Za-z_.-]{16,512}$' });
const Element = Type.String({
  minLength: 43,
  maxLength: 43,
  pattern: '^[0-9A-Za-z_-]{43}$',
  description: 'an element of ristretto255, base64url (RFC 9497, OPRF of ristretto255-SHA512)',
});

/** Shares of the key, made by the signing page; `device` is the secret of its browser, which is kept as a hash. */
const shares = { ticket: Secret, walletAddress: AddressText, signature: Signature, serverShare: Share, recovery: Recovery, device: Secret };
const own = { access: 'session', rate: 'manage', sameOrigin: true } as const;
const signer = { access: 'public', rate: 'auth', sameOrigin: true } as const;

export const walletRoutes = routes({
  walletTicket: {
    ...own,
    method: 'POST',
    path: '/pro/u/wallet/ticket',
    summary:
      'A ticket for the signing page, good once within ten minutes: to create a wallet for an account that a name opened, to sign with it, to recover it ' +
      'on another device within ten minutes of a login, or to export its key, which takes a code of the authenticator app or a passkey.',
    body: strict({
      use: Type.Enum([...WALLET_TICKET_USES]),
      google: Type.Optional(OneTimeCode),
      passkey: Type.Optional(PasskeyAnswer),
      captcha: GuardCaptcha,
    }),
    response: Type.Object({ ticket: Secret }),
  },
  walletEnter: {
    ...own,
    method: 'POST',
    path: '/pro/u/wallet/enter',
    summary:
      'After a wallet was created: log in to the account at its address, to which the name has moved. Sessions of the account before end.',
    body: strict({}),
    response: Type.Union([Type.String({ description: 'access token' }), SecondStep]),
  },
  walletCreate: {
    ...signer,
    method: 'POST',
    path: `${SIGNER_PATH}/create`,
    summary:
      'Bind a new wallet, from the signing page: the account at its address takes over the name, the password and the second factor.',
    body: strict(shares),
    response: Type.Null(),
  },
  walletStretch: {
    ...signer,
    method: 'POST',
    path: `${SIGNER_PATH}/stretch`,
    summary: 'Stretch the passphrase of a wallet that is about to be created, from the signing page: blinded, so that nobody here sees it.',
    body: strict({ ticket: Secret, blinded: Element }),
    response: Type.Object({ evaluated: Element }),
  },
  walletShare: {
    ...signer,
    // Each takes a ticket, and tickets are counted by account: who signs the terms, a connection and a withdrawal at once is no guesser.
    rate: 'public',
    method: 'POST',
    path: `${SIGNER_PATH}/share`,
    summary: 'The share that the exchange keeps, from the signing page of the browser whose secret this is.',
    body: strict({ ticket: Secret, walletAddress: AddressText, device: Secret }),
    response: Type.Object({ share: Share, use: Type.Enum(['sign', 'export']) }),
  },
  walletRecover: {
    ...signer,
    method: 'POST',
    path: `${SIGNER_PATH}/recover`,
    summary:
      'What a key is recovered from beside the passphrase, and one try of the passphrase, blinded, from the signing page: ten a day. The owner is ' +
      'written to and withdrawals are held for 24 hours first.',
    body: strict({ ticket: Secret, walletAddress: AddressText, blinded: Element }),
    response: Type.Object({ share: Share, recovery: KeptRecovery, evaluated: Element }),
  },
  walletRenew: {
    ...signer,
    method: 'POST',
    path: `${SIGNER_PATH}/renew`,
    summary:
      'New shares of the same key after a recovery: those before are void, other sessions end, and withdrawals are held for 24 hours.',
    body: strict(shares),
    response: Type.Object({ withdrawalsHeldUntil: Millis }),
  },
});
