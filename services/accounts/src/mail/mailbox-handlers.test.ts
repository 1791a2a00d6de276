import { expect, test } from 'vitest';
import { refusalOf } from '../testing/town.ts';
import { mailboxHandlers } from './mailbox-handlers.ts';
import type { MailboxReader } from './message.ts';

const kept = { kind: 'email', to: 'alice@example.org', subject: 'Hello', text: 'It is 123456.', time: 7 } as const;
const ask = async (mailbox: Pick<MailboxReader, 'of'> | undefined, to: string) =>
  mailboxHandlers(mailbox).mailbox({ query: { to } } as never);

test('[A1] the mailbox answers what was kept for the receiver, however the address is written', async () => {
  const mailbox: Pick<MailboxReader, 'of'> = { of: (to) => (to === kept.to ? [kept] : []) };
  expect(await ask(mailbox, ' Alice@Example.org')).toEqual({ list: [kept], total: 1 });
  expect(await ask(mailbox, 'bob@example.org')).toEqual({ list: [], total: 0 });
});

test('[A1] where there is no mailbox, as in production, there is no such call', async () => {
  expect(await refusalOf(ask(undefined, kept.to))).toBe('NotFound');
});
