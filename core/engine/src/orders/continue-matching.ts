/** Goes on with the order of a market that had more to trade than one command may. What its account can carry no longer closes it. */
import { NO_LOTS, type Millis } from '@orrery/units';
import type { CloseReason } from '@orrery/protocol';
import { onlyReduces } from '../clearing/reduces.ts';
import type { Listed } from '../instruments/listed-market.ts';
import { closeOrder, releaseOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import { execute } from './execute.ts';
import { planMatch, type MatchPlan } from './match-plan.ts';
import type { OpenOrder } from './open-order.ts';
import type { OrderOutcome } from './order-outcome.ts';
import { closableSize } from './reducing.ts';
import { refusePrices } from './refuse-contract-order.ts';
import { cutTo, stall, waitsOn } from './stall.ts';
import type { Trading } from './trading.ts';

/** Without one nothing changes and nothing is emitted. */
export function continueMatching(trading: Trading, market: Listed, at: Millis): OrderOutcome {
  const scope: CommandScope = { trading, at, events: [] };
  const id = trading.matching.get(market.terms.market);
  if (id === undefined) return { events: scope.events, market };
  const open = trading.orders.known(id);
  trading.matching.delete(market.terms.market);
  releaseOrder(open);
  const mayStall = waitsOn(trading, open);
  const closable =
    mayStall && market.contract !== undefined ? closableSize(trading, { payer: open.payer, side: open.order.side }) : NO_LOTS;
  if (closable > NO_LOTS && closable < open.remaining) cutTo(scope, open, closable);
  const plan = planRest(trading, open, at);
  const reason = refuseRest(trading, open, plan, at);
  if (reason === undefined) execute(scope, open, plan);
  else if (closable > NO_LOTS) stall(scope, open, 'marginMissing');
  else closeOrder(scope, open, { reason, rested: false, removed: NO_LOTS });
  return { events: scope.events, market };
}

/** No further than it might go when it came. */
function planRest(trading: Trading, { order, market, remaining, bound: worst, fundsLeft: funds }: OpenOrder, at: Millis): MatchPlan {
  const makers = market.contract === undefined ? undefined : trading;
  return planMatch(trading.plan, market, { order, remaining, funds, worst, fills: trading.fills.of(order), at }, makers);
}

/** What a spot order needs is held. */
function refuseRest(trading: Trading, open: OpenOrder, plan: MatchPlan, at: Millis): CloseReason | undefined {
  const { order, market, payer, remaining } = open;
  const listed = market.contract === undefined ? undefined : trading.contracts.get(market.terms.market);
  if (listed === undefined) return undefined;
  if (refusePrices(trading, { ...order, createdAt: at }, listed) !== undefined) return 'pricesDegraded';
  if (onlyReduces(order) && closableSize(trading, { payer, side: order.side }) < remaining) return 'reduceOnly';
  return market.clearing.refuse({ order, payer, leaving: undefined, at }, plan) === undefined ? undefined : 'marginMissing';
}
