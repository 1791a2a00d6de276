/** The mailbox of an installation for trying things out. */
import { ApiError, type Handlers, type mailboxRoutes } from '@orrery/api';
import type { MailboxReader } from './message.ts';

/** @param mailbox undefined where messages are really sent, and in every environment that people rely on: then there is no such call. */
export const mailboxHandlers = (mailbox: Pick<MailboxReader, 'of'> | undefined): Handlers<typeof mailboxRoutes> => ({
  mailbox({ query }) {
    if (mailbox === undefined) throw new ApiError('NotFound');
    const list = mailbox.of(query.to.trim().toLowerCase()).map((kept) => ({ ...kept }));
    return { list, total: list.length };
  },
});
