/** Subscriptions and redemptions, each under an id of its own: sent again it changes nothing. */
import { ask, refresh } from '../../platform/data/calls.ts';
import { openIntents } from '../../kit/storage/open-intents.ts';
import type { OpenIntent } from '../../kit/storage/open-intents.ts';

export interface FundRequest {
  readonly kind: 'subscribe' | 'redeem';
  readonly fundId: string;
  /** Of the coin, or of shares: decimal text. */
  readonly amount: string;
}

function parseRequest(json: unknown): FundRequest | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { kind, fundId, amount } = json as Readonly<Record<string, unknown>>;
  if ((kind !== 'subscribe' && kind !== 'redeem') || typeof fundId !== 'string' || typeof amount !== 'string') return undefined;
  return { kind, fundId, amount };
}

export const fundRequests = openIntents<FundRequest>({ name: 'fundRequests', parse: parseRequest });

/** What goes wrong is said by the form. */
export async function sendRequest({ account: as, id, body: { kind, fundId, amount } }: OpenIntent<FundRequest>): Promise<void> {
  if (kind === 'subscribe') await ask('fundSubscribe', { body: { fundId, amount, subscriptionId: id } }, { as });
  else await ask('fundRedeem', { body: { fundId, shares: amount, redemptionId: id } }, { as });
  await refresh('fundMine', 'fundHistory', 'fundDetail', 'balances');
}

/** Newest entries, among which one is looked for. */
const LOOKED_THROUGH = 50;

export async function isRequestKnown({ id }: OpenIntent<FundRequest>): Promise<boolean> {
  const { list } = await ask('fundHistory', { query: { page: 1, pageSize: LOOKED_THROUGH } });
  return list.some(({ requestId }) => requestId === id);
}
