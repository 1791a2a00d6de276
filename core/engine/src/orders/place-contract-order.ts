/** Places an order of a contract: refused for a named reason, or opened, matched, cleared and rested. */
import { assert, minLots, NO_LOTS, NO_TICKS, type Lots, type Millis, type OrderId } from '@orrery/units';
import { DEFAULT_SLIPPAGE_PPM, hasLimit, isStop, triggerDirection } from '@orrery/rules';
import type { AttachedTrigger, ContractOrderTerms, OrderAccepted, PlaceContractOrder, TriggerDirection } from '@orrery/protocol';
import type { ListedContract } from '../instruments/listed-market.ts';
import { heldLots } from '../positions/position-row.ts';
import { arm } from './arm.ts';
import { clippedToPosition } from './clip-reduction.ts';
import type { CommandScope } from './command-scope.ts';
import { PLAIN_TERMS } from './contract-orders.ts';
import { execute } from './execute.ts';
import { judge, judgeMost, type AcceptedEntry } from './judge.ts';
import { unchanged, type OrderOutcome } from './order-outcome.ts';
import { presentPrices } from './present-prices.ts';
import { repeatOf } from './place-order.ts';
import { refuseContractOrder } from './refuse-contract-order.ts';
import { refuseContractIntent, sizedNow } from './sizing.ts';
import type { Trading } from './trading.ts';

export function placeContractOrder(trading: Trading, command: PlaceContractOrder, at: Millis): OrderOutcome {
  const market = trading.contracts.get(command.market);
  const acceptance = { orderId: trading.orders.nextId(), size: sizeOf(trading, command, market), createdAt: at };
  const asked = acceptable(
    command,
    acceptance,
    market === undefined || !isStop(command) ? 'none' : triggerDirection(command, presentPrices(market)),
  );
  const before = trading.orders.named.placedBefore(asked, trading.rules);
  if (before !== undefined) return unchanged(repeatOf(before));
  const misplaced = refuseContractIntent(trading, command, market);
  if (misplaced !== undefined) return unchanged(misplaced);
  const { command: sized, order } = sizedNow(trading, { command, order: clippedToPosition(trading, asked) }, market);
  const refusal = refuseContractOrder(trading, sized, order, market);
  if (refusal !== undefined) return unchanged(refusal);
  assert(market !== undefined, 'an order of no contract is refused');
  const arriving: AcceptedEntry = { order, market, payer: market.clearing.payerOf(order), leaving: undefined, at };
  const { entry, plan, objection } = command.sizing === 'most' ? judgeMost(trading, arriving) : judge(trading, arriving);
  if (objection !== undefined) return unchanged(objection);
  // After this point nothing fails.
  const open = trading.orders.open(entry, 0, asked);
  const scope: CommandScope = { trading, at, events: [entry.order] };
  if (plan === undefined) arm(scope, open);
  else execute(scope, open, plan);
  return { events: scope.events, market };
}

/** What closes a position at once has the size of the position, since rules 8 no more than one order may have; what waits, the size that it will be. */
function sizeOf({ positions, rules }: Trading, command: PlaceContractOrder, market: ListedContract | undefined): Lots {
  const { account, size, contract } = command;
  if (!contract.closePosition || isStop(command) || size !== NO_LOTS || market === undefined) return size;
  const exposure = positions.known(account)?.exposures.find((one) => one.contract === market.contract);
  const row = exposure?.rows.find((one) => one?.positionSide === contract.positionSide);
  if (row === undefined) return NO_LOTS;
  return rules < 8 ? heldLots(row) : minLots(heldLots(row), market.terms.maxSize);
}

interface Acceptance {
  readonly orderId: OrderId;
  readonly size: Lots;
  readonly createdAt: Millis;
}

/** The order as it will be accepted if nothing speaks against it. */
function acceptable(command: PlaceContractOrder, { orderId, size, createdAt }: Acceptance, direction: TriggerDirection): OrderAccepted {
  const takesDefault = command.slippagePpm === 0 && !hasLimit(command);
  return {
    type: 'OrderAccepted',
    orderId,
    account: command.account,
    market: command.market,
    clientOrderId: command.clientOrderId,
    side: command.side,
    orderType: command.orderType,
    timeInForce: command.timeInForce,
    price: command.price,
    size,
    funds: command.funds,
    triggerPrice: command.triggerPrice,
    slippagePpm: takesDefault ? DEFAULT_SLIPPAGE_PPM : command.slippagePpm,
    selfTradePrevention: command.selfTradePrevention,
    createdAt,
    contract: termsOf(command, direction),
    spot: undefined,
  };
}

function termsOf({ contract, takeProfit, stopLoss }: PlaceContractOrder, triggerDirection: TriggerDirection): ContractOrderTerms {
  const { positionSide, reduceOnly, closePosition, triggerBy, trailingPpm, source } = contract;
  const isOneWay = positionSide === 'both' && !reduceOnly && !closePosition;
  const waitsForNothing = triggerDirection === 'none' && trailingPpm === 0 && triggerBy === 'last';
  if (source === 'plain' && isOneWay && waitsForNothing && isNone(takeProfit) && isNone(stopLoss)) return PLAIN_TERMS;
  return {
    positionSide,
    reduceOnly,
    closePosition,
    triggerBy,
    trailingPpm,
    source,
    triggerDirection,
    parent: 0,
    group: 0,
    takeProfit,
    stopLoss,
  };
}

const isNone = ({ triggerPrice, triggerBy, price }: AttachedTrigger): boolean =>
  triggerPrice === NO_TICKS && triggerBy === 'last' && price === NO_TICKS;
