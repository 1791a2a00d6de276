/**
 * Take-profit and stop-loss orders attached to an order. They begin when it is over, for what it filled: whole, or the part that was filled before it was
 * cancelled, in whichever way. Until then they are terms of the order and nothing else.
 */
import { minLots, NO_ATOMS, NO_LOTS, ppm, type Lots } from '@orrery/units';
import { NOT_ATTACHED, type ContractOrderTerms, type Order, type OrderAccepted } from '@orrery/protocol';
import { ATTACHED_KINDS, isAttached, stopDirection, takeProfitDirection, type AttachedKind } from '@orrery/rules';
import { actingAt } from './acting-at.ts';
import { arm } from './arm.ts';
import type { CommandScope } from './command-scope.ts';
import { opposite } from './match-plan.ts';
import type { OpenOrder } from './open-order.ts';
import { reachAtOnce } from './reach-at-once.ts';
import { closableSize } from './reducing.ts';

/** Begins what is attached to an order that is over. A part of it that only closed an opposite position has nothing to protect. */
export function beginAttached(scope: CommandScope, { order, filled, market, payer }: OpenOrder): void {
  const { contract } = order;
  if (contract === undefined || filled === NO_LOTS) return;
  const size = minLots(filled, closableSize(scope.trading, { payer, side: opposite(order.side) }));
  if (size === NO_LOTS) return;
  for (const kind of ATTACHED_KINDS) {
    if (!isAttached(contract[kind])) continue;
    const child = childOf(scope, { parent: order, terms: contract, kind, size });
    const open = scope.trading.orders.open({ order: child, market, payer, leaving: undefined, at: scope.at }, 0);
    scope.events.push(child);
    arm(scope, open);
  }
  reachAtOnce(scope, market);
}

interface Child {
  readonly parent: Order;
  readonly terms: ContractOrderTerms;
  readonly kind: AttachedKind;
  readonly size: Lots;
}

function childOf({ trading, at }: CommandScope, { parent, terms, kind, size }: Child): OrderAccepted {
  const { triggerPrice, triggerBy, price } = terms[kind];
  const side = opposite(parent.side);
  return {
    type: 'OrderAccepted',
    orderId: trading.orders.nextId(),
    account: parent.account,
    market: parent.market,
    clientOrderId: '',
    side,
    ...actingAt(price),
    size,
    funds: NO_ATOMS,
    triggerPrice,
    selfTradePrevention: parent.selfTradePrevention,
    createdAt: at,
    contract: {
      positionSide: terms.positionSide,
      reduceOnly: true,
      closePosition: false,
      triggerBy,
      trailingPpm: ppm(0),
      source: kind,
      triggerDirection: kind === 'takeProfit' ? takeProfitDirection(side) : stopDirection(side),
      parent: parent.orderId,
      group: isAttached(terms.takeProfit) && isAttached(terms.stopLoss) ? parent.orderId : 0,
      takeProfit: NOT_ATTACHED,
      stopLoss: NOT_ATTACHED,
    },
    spot: undefined,
  };
}
