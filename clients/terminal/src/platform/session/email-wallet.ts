/** The wallet of an account that an e-mail address opened: made on the signing page, and connected like any other after a login. */
import { ticketByFactor } from '../captcha/ticket-by-factor.ts';
import { http } from '../client/client.ts';
import { loadConfig } from '../client/config.ts';
import type { GivenFactor } from '../factors/factor.ts';
import { recoveryTicket } from '../wallet/recovery-ticket.tsx';
import { signerFrame } from '../wallet/signer-frame.ts';
import { enter } from './enter.ts';
import { actor } from '../../kit/storage/account-in-view.ts';

async function frame() {
  const { signerOrigin } = await loadConfig();
  if (signerOrigin === null) throw new Error('this installation has no e-mail wallets');
  return signerFrame(signerOrigin);
}

/** The session of this page goes on in the account at the address of the new wallet. @param factor one that is bound, if any. */
export async function createEmailWallet(factor: GivenFactor): Promise<void> {
  const by = actor();
  const signer = await frame();
  await signer.ask({ kind: 'create', ticket: await ticketByFactor('create', factor) });
  await enter(await http.call('walletEnter', { body: {} }, by));
}

/** Whether this browser has a share of the wallet. */
export async function hasShareHere(address: string): Promise<boolean> {
  const signer = await frame();
  return (await signer.ask({ kind: 'status', address })).hasShare;
}

/** Gives this browser a share. @returns whether it did: not when the person gives no factor. */
export async function recoverHere(address: string): Promise<boolean> {
  const signer = await frame();
  const ticket = await recoveryTicket();
  if (ticket === undefined) return false;
  await signer.ask({ kind: 'recover', address, ticket });
  return true;
}

/** Shows the key on the signing page. */
export async function exportEmailWallet(address: string, factor: GivenFactor): Promise<void> {
  const signer = await frame();
  await signer.ask({ kind: 'export', address, ticket: await ticketByFactor('export', factor) });
}
