/** What a wallet signs, in words. Without a schema: the pages that sign need no library that checks them. */

export const PURPOSES = [
  'login',
  'terms',
  'connection',
  'withdraw',
  'api-key',
  'security',
  'name',
  'password',
  'erasure',
  'otc-release',
] as const;
export type Purpose = (typeof PURPOSES)[number];

/** The statement of the message to be signed: a signature for one purpose never works for another. */
export const STATEMENTS = {
  login: 'Sign in to Orrery.',
  terms: 'I accept the terms of use, privacy policy and cookie policy of Orrery.',
  security: 'Bind an authenticator app to my account on Orrery.',
  password: 'Set a new password for my account on Orrery.',
  connection: 'Open a gas-free trading connection with Orrery.',
} as const satisfies Partial<Record<Purpose, string>>;
/** Purposes whose statement is the same each time; the others' names what is signed for. */
export type FixedPurpose = keyof typeof STATEMENTS;

/** The statement of a withdrawal names what leaves and where to; the message's Request ID is the withdrawal id. */
export const withdrawStatement = (withdrawal: { amount: string; coin: string; to: string }): string =>
  `Withdraw ${withdrawal.amount} ${withdrawal.coin} from Orrery to ${withdrawal.to}.`;

/** The statement of a release names what goes to whom, and for which order; `buyer` is a trader id. */
export const otcReleaseStatement = (release: { amount: string; coin: string; orderId: string; buyer: string }): string =>
  `Release ${release.amount} ${release.coin} of OTC order ${release.orderId} to trader ${release.buyer} on Orrery.`;

/** EIP-4361 `version` and `chain-id`; `domain` and `uri` are the host and origin of the page. */
export const MESSAGE_VERSION = '1';
