/** Loads the wallet library when it is first needed, once. */
import { loadConfig } from '../client/config.ts';
import { loadCode } from '../../kit/ui/load-code.ts';
import type { Wallets } from './wallet-port.ts';

let opened: Promise<Wallets> | undefined;

async function open(): Promise<Wallets> {
  const [{ openWallets }, config] = await Promise.all([loadCode(() => import('./wallets.ts')), loadConfig()]);
  return openWallets(config);
}

export function wallets(): Promise<Wallets> {
  opened ??= open().catch((error: unknown) => {
    // A failed load may be tried again.
    opened = undefined;
    throw error;
  });
  return opened;
}
