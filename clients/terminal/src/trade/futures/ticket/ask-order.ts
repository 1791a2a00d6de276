/** Whether the exchange has an order that was sent under an id. Rejects when it cannot be reached. */
import { answerOf, ask } from '../../../platform/data/calls.ts';
import type { ContractDraft } from './contract-draft.ts';

const LOOKED_THROUGH = 100;

export async function askOrder(name: ContractDraft['name'], clientOrderId: string): Promise<boolean> {
  const isIt = (order: { readonly clientOrderId: string }): boolean => order.clientOrderId === clientOrderId;
  const query = { page: 1, size: LOOKED_THROUGH };
  if (name === 'createTwap') return (await ask('twaps')).some(isIt);
  if (name === 'createPlan')
    return (await ask('plans', { query })).items.some(isIt) || (await ask('planHistory', { query })).items.some(isIt);
  const open = await answerOf('futuresOrder', { query: { clientOrderId } });
  return open.status === 200 || (await ask('futuresOrderHistory', { query })).items.some(isIt);
}
