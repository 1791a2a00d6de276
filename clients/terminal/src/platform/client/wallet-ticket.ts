/** Tickets of the open session, by which the signing page gets the share of the exchange. */
import type { WalletTicketUse } from '@orrery/api';
import { http } from './client.ts';

export async function walletTicket(use: WalletTicketUse): Promise<string> {
  const { ticket } = await http.call('walletTicket', { body: { use } });
  return ticket;
}

/** The same without a toast: what is refused is for the caller to say. */
export async function tryWalletTicket(use: WalletTicketUse): Promise<string> {
  const { ticket } = await http.load('walletTicket', { body: { use } });
  return ticket;
}
