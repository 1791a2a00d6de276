/** Transfers between the account's own wallets, each under an id of its own. */
import { ask, refresh } from '../../platform/data/calls.ts';
import { openIntents } from '../../kit/storage/open-intents.ts';
import type { OpenIntent } from '../../kit/storage/open-intents.ts';
import { parseTransfer } from './own-transfer.ts';
import type { OwnTransfer } from './own-transfer.ts';

export const openTransfers = openIntents<OwnTransfer>({ name: 'openTransfers', parse: parseTransfer });

/** The same id again changes nothing. What goes wrong is said by the form. */
export async function sendTransfer({ account: as, id, body }: OpenIntent<OwnTransfer>): Promise<void> {
  await ask('transfer', { body: { ...body, transferId: id } }, { as });
  await refresh('balances', 'transfers');
}

/** Newest transfers, among which one is looked for. */
const LOOKED_THROUGH = 50;

export async function isTransferKnown({ id }: OpenIntent<OwnTransfer>): Promise<boolean> {
  const { list } = await ask('transfers', { query: { page: 1, pageSize: LOOKED_THROUGH } });
  return list.some(({ transferId }) => transferId === id);
}
