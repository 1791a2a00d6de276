/** The words of every message to a person. */
import type { Message } from '../mail/message.ts';
import { masked, type Name } from './name.ts';

/** What happened to the security of an account. */
export type SecurityEvent =
  | 'newDevice'
  | 'passwordSet'
  | 'passwordReset'
  | 'emailBound'
  | 'phoneBound'
  | 'appBound'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'codesLocked'
  | 'apiKeyMade'
  | 'apiKeyChanged'
  | 'apiKeyDeleted'
  | 'walletCreated'
  | 'walletRecoveryBegun'
  | 'walletRecovered'
  | 'walletExported'
  | 'erasureAsked'
  | 'accountKept'
  | 'erasureRefused';

/** Where an event came from, as far as it is known; what is shown of the network is its first half. */
export interface EventPlace {
  readonly userAgent: string;
  readonly ip: string;
  /** When what was asked for is done, unix milliseconds. */
  readonly dueAt?: number;
}

const EVENTS: Readonly<Record<SecurityEvent, readonly [subject: string, sentence: string]>> = {
  newDevice: ['A login from a new place', 'Somebody logged in to your account from a device or a network that was not used before.'],
  passwordSet: [
    'Your password was set',
    'The password of your account was set. Your other sessions ended, and withdrawals are held for 24 hours.',
  ],
  passwordReset: [
    'Your password was reset',
    'The password of your account was reset. All sessions ended, and withdrawals are held for 24 hours.',
  ],
  emailBound: ['An e-mail address was bound', 'An e-mail address was bound to your account. Withdrawals are held for 24 hours.'],
  phoneBound: ['A telephone number was bound', 'A telephone number was bound to your account. Withdrawals are held for 24 hours.'],
  appBound: ['An authenticator app was bound', 'An authenticator app was bound to your account. Withdrawals are held for 24 hours.'],
  passkeyAdded: [
    'A passkey was added',
    'A passkey was added to your account. Your other sessions ended, and withdrawals are held for 24 hours.',
  ],
  passkeyRemoved: [
    'A passkey was removed',
    'A passkey of your account was removed. Your other sessions ended, and withdrawals are held for 24 hours.',
  ],
  codesLocked: [
    'Too many wrong codes',
    'Too many wrong codes were entered for your account. Codes are not taken for a while; a password and a wallet are.',
  ],
  apiKeyMade: ['An API key was made', 'An API key was made for your account.'],
  apiKeyChanged: ['An API key was changed', 'What an API key of your account may do was changed.'],
  apiKeyDeleted: ['An API key was deleted', 'An API key of your account was deleted.'],
  walletCreated: ['Your e-mail wallet was created', 'An e-mail wallet was created for your account.'],
  walletRecoveryBegun: [
    'Somebody recovers your e-mail wallet',
    'The recovery of your e-mail wallet was begun on another device, by a login to your account. Withdrawals are held for 24 hours. If it was not ' +
      'you, secure your mailbox and change your password.',
  ],
  walletRecovered: [
    'Your e-mail wallet was recovered',
    'Your e-mail wallet was recovered on another device. The device before it can sign no longer, and withdrawals are held for 24 hours.',
  ],
  walletExported: ['The key of your wallet was exported', 'The key of your e-mail wallet was shown on the signing page.'],
  erasureAsked: [
    'Your account will be deleted',
    'The deletion of your account was asked for. Until its time has come you can keep the account, on the security page.',
  ],
  accountKept: ['Your account is kept', 'The deletion of your account was called off.'],
  erasureRefused: [
    'Your account was not deleted',
    'Your account was to be deleted now, and still has money or positions. It is kept: ask again once it is empty.',
  ],
};

const NOT_YOU = 'If this was not you, reset your password and end all sessions on the security page.';

function letter(name: Name, subject: string, lines: readonly string[]): Message {
  const text = lines.join('\n\n');
  if (name.kind === 'email') return { kind: 'email', to: name.text, subject: `Orrery: ${subject}`, text };
  return { kind: 'text', to: name.text, subject: '', text: `Orrery: ${lines[0] ?? ''}` };
}

export function eventLetter(name: Name, event: SecurityEvent, { at, place }: { at: number; place: EventPlace }): Message {
  const [subject, sentence] = EVENTS[event];
  const due = place.dueAt === undefined ? '' : `\nDeleted at: ${new Date(place.dueAt).toISOString()}`;
  const when = `Time: ${new Date(at).toISOString()}\nDevice: ${place.userAgent}\nNetwork: ${place.ip}${due}`;
  return letter(name, subject, [sentence, when, NOT_YOU]);
}

/** Of something that happened outside the security of the account. */
export const newsLetter = (name: Name, { subject, text }: { subject: string; text: string }): Message => letter(name, subject, [text]);

export const erasedLetter = (name: Name): Message =>
  letter(name, 'your account was deleted', [
    'Your account was deleted, and what it said of you. This is the last message to this address.',
  ]);

export const codeLetter = (name: Name, code: string): Message =>
  letter(name, 'your code', [
    `Your code is ${code}. It is good for five minutes, in the browser that asked for it.`,
    'Nobody of Orrery ever asks you for a code. If you did not ask for this one, nothing needs to be done.',
  ]);

export const knownNameLetter = (name: Name): Message =>
  letter(name, 'you have an account', [
    `There is an account with ${masked(name)} already, so no code was made. Log in instead, or reset the password.`,
    'If you did not ask for a code, nothing needs to be done.',
  ]);

export const unknownNameLetter = (name: Name): Message =>
  letter(name, 'there is no account', [
    `There is no account with ${masked(name)}, so no code was made. You can register with it.`,
    'If you did not ask for a code, nothing needs to be done.',
  ]);
