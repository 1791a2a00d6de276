/** A ticket for the signing page that takes a second factor, where one is bound. The caller says what is refused. */
import type { CallBody, WalletTicketUse } from '@orrery/api';
import { http } from '../client/client.ts';
import { pastCaptcha } from './captcha.ts';

export async function ticketByFactor(use: WalletTicketUse, factor: Omit<CallBody['walletTicket'], 'use' | 'captcha'>): Promise<string> {
  const { ticket } = await pastCaptcha((captcha) => http.load('walletTicket', { body: { use, ...factor, ...captcha } }));
  return ticket;
}
