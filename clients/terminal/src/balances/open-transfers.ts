/** Transfers between the account's own wallets, each under an id of its own. */
import { isTransferRoute } from '@orrery/rules';
import { http } from '../client/client.ts';
import { queryClient } from '../client/query-client.ts';
import { openIntents } from '../storage/open-intents.ts';
import type { OpenIntent } from '../storage/open-intents.ts';
import type { WalletName } from './use-balances.ts';

export interface OwnTransfer {
  readonly coin: string;
  readonly amount: string;
  readonly from: WalletName;
  readonly to: WalletName;
}

export const WALLETS: readonly WalletName[] = ['funding', 'spot', 'futures'];

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

export const openTransfers = openIntents<OwnTransfer>({ name: 'openTransfers', parse: parseTransfer });

/** The same id again changes nothing. */
export async function sendTransfer({ id, body }: OpenIntent<OwnTransfer>): Promise<void> {
  await http.call('transfer', { body: { ...body, transferId: id } });
  await queryClient.invalidateQueries({ queryKey: ['balances'] });
}

/** Newest transfers, among which one is looked for. */
const LOOKED_THROUGH = 50;

export async function isTransferKnown({ id }: OpenIntent<OwnTransfer>): Promise<boolean> {
  const { list } = await http.load('transfers', { query: { page: 1, pageSize: LOOKED_THROUGH } });
  return list.some(({ transferId }) => transferId === id);
}
