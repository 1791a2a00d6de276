/** The prices that a trigger of a contract may wait for. */
import { NO_TICKS } from '@orrery/units';
import type { CommandRejected } from '@orrery/protocol';
import { checkContractTrigger, isReached, isStop, reject, triggerDirection, type PresentPrices, type TriggerTerms } from '@orrery/rules';
import type { Listed } from '../instruments/listed-market.ts';

export const presentPrices = ({ lastPrice, contract }: Listed): PresentPrices => ({
  last: lastPrice,
  mark: contract?.prices.mark ?? NO_TICKS,
  index: contract?.prices.index ?? NO_TICKS,
});

/** A trigger that the present price has reached, or a further one whose reached orders have not all acted: it would trigger at once. */
export function refuseTrigger(listed: Listed, order: TriggerTerms): CommandRejected | undefined {
  const present = presentPrices(listed);
  const refusal = checkContractTrigger(order, listed.terms, present);
  if (refusal !== undefined || !isStop(order)) return refusal;
  const { high, low } = listed.triggers.marks(order.contract.triggerBy);
  const direction = triggerDirection(order, present);
  const furthest = direction === 'rise' ? high : low;
  return furthest !== NO_TICKS && isReached(direction, order.triggerPrice, furthest) ? reject('InvalidTrigger', 'triggerPrice') : undefined;
}
