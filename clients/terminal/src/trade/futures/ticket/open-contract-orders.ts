/** Orders of contracts that were sent from this tab and are not answered yet: each is sent under one id, and found again by it. */

import type { OpenIntent } from '../../../kit/storage/open-intents.ts';
import { openIntents } from '../../../kit/storage/open-intents.ts';
import { change } from '../account.ts';
import { askOrder } from './ask-order.ts';
import type { ContractDraft } from './contract-draft.ts';

const NAMES = ['createFuturesOrder', 'createPlan', 'createTwap'] as const;

/** The body is checked again by the exchange. */
function parseDraft(json: unknown): ContractDraft | undefined {
  if (typeof json !== 'object' || json === null || !('name' in json) || !('body' in json)) return undefined;
  const name = NAMES.find((known) => known === json.name);
  const { body } = json;
  return name === undefined || typeof body !== 'object' || body === null ? undefined : ({ name, body } as ContractDraft);
}

export const openContractOrders = openIntents<ContractDraft>({ name: 'openContractOrders', parse: parseDraft });

/** The same id again places nothing. */
export async function sendContract({ account: as, id: clientOrderId, body: draft }: OpenIntent<ContractDraft>): Promise<void> {
  switch (draft.name) {
    case 'createFuturesOrder':
      await change(draft.name, { ...draft.body, clientOrderId }, { as });
      return;
    case 'createPlan':
      await change(draft.name, { ...draft.body, clientOrderId }, { as });
      return;
    case 'createTwap':
      await change(draft.name, { ...draft.body, clientOrderId }, { as });
  }
}

export const isContractKnown = async ({ id, body }: OpenIntent<ContractDraft>): Promise<boolean> => askOrder(body.name, id);
