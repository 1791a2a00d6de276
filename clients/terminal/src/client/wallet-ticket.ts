/** Tickets of the open session, by which the signing page gets the share of the exchange. */
import type { WalletTicketUse } from '@orrery/api';
import { http } from './client.ts';

/** @param google the code of the authenticator app, where one is bound. */
export async function walletTicket(use: WalletTicketUse, google?: string): Promise<string> {
  const { ticket } = await http.call('walletTicket', { body: { use, ...(google !== undefined && { google }) } });
  return ticket;
}
