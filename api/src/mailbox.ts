/** What an installation for trying things out would have sent: e-mails and text messages, kept in memory instead. */
import { Type, type Static } from 'typebox';
import { Millis, listed, strict } from './fields.ts';
import { routes } from './route.ts';

export const MAILBOX_KINDS = ['email', 'text'] as const;

export const MailboxMessage = Type.Object({
  time: Millis,
  kind: Type.Enum([...MAILBOX_KINDS], { description: 'an e-mail, or a text message to a telephone' }),
  to: Type.String(),
  subject: Type.String({ description: 'empty for a text message' }),
  text: Type.String(),
});
export type MailboxMessage = Static<typeof MailboxMessage>;

export const mailboxRoutes = routes({
  mailbox: {
    method: 'GET',
    path: '/dev/mailbox',
    access: 'public',
    rate: 'public',
    summary:
      'The newest messages to an e-mail address or a telephone number, newest first. Only where ORRERY_ENV is test and what is asked for is sent by no ' +
      'server: everywhere else there is no such call.',
    query: strict({
      to: Type.String({ minLength: 3, maxLength: 254, description: 'an e-mail address, or a number such as +8613800138000' }),
    }),
    response: listed(MailboxMessage),
  },
});
