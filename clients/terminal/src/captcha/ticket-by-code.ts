/** A ticket for the signing page that takes a code of the authenticator app. The caller says what is refused. */
import type { WalletTicketUse } from '@orrery/api';
import { http } from '../client/client.ts';
import { pastCaptcha } from './captcha.ts';

export async function ticketByCode(use: WalletTicketUse, google: string): Promise<string> {
  const { ticket } = await pastCaptcha((captcha) => http.load('walletTicket', { body: { use, google, ...captcha } }));
  return ticket;
}
