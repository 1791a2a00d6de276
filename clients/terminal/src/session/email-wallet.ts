/** The wallet of an account that an e-mail address opened: made on the signing page, and connected like any other after a login. */
import { ticketByFactor } from '../captcha/ticket-by-factor.ts';
import { http } from '../client/client.ts';
import { loadConfig } from '../client/config.ts';
import type { GivenFactor } from '../factors/factor.ts';
import { signerFrame } from '../wallet/signer-frame.ts';
import { enter } from './enter.ts';

async function frame() {
  const { signerOrigin } = await loadConfig();
  if (signerOrigin === null) throw new Error('this installation has no e-mail wallets');
  return signerFrame(signerOrigin);
}

/** The session of this page goes on in the account at the address of the new wallet. @param factor one that is bound, if any. */
export async function createEmailWallet(factor: GivenFactor): Promise<void> {
  const signer = await frame();
  await signer.ask({ kind: 'create', ticket: await ticketByFactor('create', factor) });
  await enter(await http.call('walletEnter', { body: {} }));
}

/** Shows the key on the signing page. */
export async function exportEmailWallet(address: string, factor: GivenFactor): Promise<void> {
  const signer = await frame();
  await signer.ask({ kind: 'export', address, ticket: await ticketByFactor('export', factor) });
}
