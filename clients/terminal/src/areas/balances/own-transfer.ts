/** A transfer between the account's own wallets: where it may go, and how one that is kept is read back. */
import { isTransferRoute } from '@orrery/rules';
import type { WalletName } from './use-balances.ts';
import { WALLETS } from './wallets.ts';

export interface OwnTransfer {
  readonly coin: string;
  readonly amount: string;
  readonly from: WalletName;
  readonly to: WalletName;
}

/** Where money may go from a wallet, by the rules of the exchange. */
export const targetsOf = (from: WalletName): readonly WalletName[] => WALLETS.filter((to) => to !== from && isTransferRoute(from, to));

const walletOf = (json: unknown): WalletName | undefined => WALLETS.find((known) => known === json);

export function parseTransfer(json: unknown): OwnTransfer | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { coin, amount, from, to } = json as Readonly<Record<string, unknown>>;
  const [source, target] = [walletOf(from), walletOf(to)];
  if (typeof coin !== 'string' || typeof amount !== 'string' || source === undefined || target === undefined) return undefined;
  return { coin, amount, from: source, to: target };
}
