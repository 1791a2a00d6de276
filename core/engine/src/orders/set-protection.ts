/**
 * Sets the take-profit and the stop-loss of a position in one command: all of it holds or nothing changes, and what stood of the same scope leaves. Since rules 8.
 */
import { addLots, type Lots, type Millis, NO_ATOMS, NO_LOTS, NO_TICKS, orderId, type OrderId, ppm } from '@orrery/units';
import {
  NOT_ATTACHED,
  type CommandRejected,
  type Event,
  type OrderAccepted,
  type PlaceContractOrder,
  type ProtectionLeg,
  type SetProtection,
  type Side,
} from '@orrery/protocol';
import {
  ATTACHED_KINDS,
  type AttachedKind,
  checkContractBounds,
  checkContractCombination,
  checkContractFields,
  countBeyond,
  isAttached,
  OPEN_ORDERS_PER_ACCOUNT,
  reject,
  rejectBeyond,
  stopDirection,
  takeProfitDirection,
  TRIGGERS_PER_POSITION,
} from '@orrery/rules';
import type { ListedContract } from '../instruments/listed-market.ts';
import { bodyOf, memoryOf } from '../money/money-records.ts';
import type { MoneyState } from '../money/money-state.ts';
import type { PositionRow } from '../positions/position-row.ts';
import { actingAt } from './acting-at.ts';
import { arm } from './arm.ts';
import { cancelOpenOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { OpenOrder } from './open-order.ts';
import { refuseTrigger } from './present-prices.ts';
import { closableSize, knownPosition, protects } from './reducing.ts';
import { referenceOf } from './reference.ts';
import { reducesTooMuch, refuseSide, triggersOf } from './refuse-contract-order.ts';
import { refuseState, refuseTrader } from './refuse-order.ts';
import type { Trading } from './trading.ts';

const KEY_LENGTH_MAX = 64;

export function setProtection(state: Trading & MoneyState, command: SetProtection, at: Millis): Event[] {
  if (state.rules < 8) return [reject('RulesTooOld')];
  const malformed = refuseShape(command);
  if (malformed !== undefined) return [malformed];
  const key = `${command.account} ${command.key}`;
  const memory = memoryOf(state.money.bodies('protection'), key, bodyOfProtection(command));
  if (memory === 'same') return [{ type: 'CommandRepeated', key: command.key }];
  if (memory === 'other') return [reject('KeyConflict', 'key')];
  const market = state.contracts.get(command.market);
  if (market === undefined) return [reject('UnknownMarket', 'market')];
  const refusal = refuseTrader(state, command.account) ?? refuseState(market);
  if (refusal !== undefined) return [refusal];
  const row = knownPosition(state, command);
  if (row === undefined || row.size === 0) return [reject('UnknownPosition', 'positionSide')];
  const setting: Setting = { command, market, row, former: formerOf(state, command, row) };
  const legs = legsOf(state, setting, at);
  const objection = refuseLegs(state, setting, legs) ?? refuseSizes(state, setting) ?? refuseCounts(state, setting, legs);
  if (objection !== undefined) return [objection];
  // After this point nothing fails.
  state.money.remember('protection', key, bodyOfProtection(command));
  const scope: CommandScope = { trading: state, at, events: [] };
  for (const open of setting.former) cancelOpenOrder(scope, open, 'replaced');
  for (const { order } of legs) {
    scope.events.push(order);
    arm(scope, state.orders.open({ order, market, payer: row.payer, leaving: undefined, at }, 0));
  }
  scope.events.push(protectionSet(command, legs));
  return scope.events;
}

function refuseShape({ scope, size, takeProfit, stopLoss, key }: SetProtection): CommandRejected | undefined {
  if (key === '' || key.length > KEY_LENGTH_MAX) return reject('InvalidField', 'key');
  const hasLegs = isAttached(takeProfit) || isAttached(stopLoss);
  if ((scope === 'whole') !== (size === NO_LOTS) && (hasLegs || scope === 'whole')) return reject('InvalidCombination', 'size');
  if (scope === 'furtherPart' && !hasLegs) return reject('InvalidField', 'takeProfit');
  const isNamedTwice = takeProfit.clientOrderId !== '' && takeProfit.clientOrderId === stopLoss.clientOrderId;
  if (isNamedTwice) return reject('DuplicateClientOrderId', 'clientOrderId');
  const extra = [takeProfit, stopLoss].find((leg) => !isAttached(leg) && (leg.price !== NO_TICKS || leg.clientOrderId !== ''));
  return extra === undefined ? undefined : reject('InvalidTrigger', 'triggerPrice');
}

interface Setting {
  readonly command: SetProtection;
  readonly market: ListedContract;
  readonly row: PositionRow;
  /** What leaves for it, oldest first. */
  readonly former: readonly OpenOrder[];
}

function formerOf({ orders }: Trading, { account, scope }: SetProtection, { payer }: PositionRow): readonly OpenOrder[] {
  if (scope === 'furtherPart') return [];
  return orders.ofAccounts
    .of(account)
    .filter((open) => open.payer === payer && open.status === 'armed' && protects(open.order) && isWhole(open) === (scope === 'whole'))
    .sort((left, right) => left.order.orderId - right.order.orderId);
}

const isWhole = ({ order }: OpenOrder): boolean => order.contract?.closePosition === true;

interface Leg {
  readonly kind: AttachedKind;
  readonly request: PlaceContractOrder;
  readonly order: OrderAccepted;
}

function legsOf({ orders }: Trading, { command, row }: Setting, at: Millis): readonly Leg[] {
  const kinds = ATTACHED_KINDS.filter((kind) => isAttached(command[kind]));
  const first = orders.nextId();
  return kinds.map((kind, index) => {
    const request = requestOf(command, kind, row.size > 0 ? 'sell' : 'buy');
    const group = kinds.length > 1 ? first : 0;
    return { kind, request, order: orderOf(request, { orderId: orderId(first + index), group, at }) };
  });
}

/** A leg as the order that an account would place for it alone. */
function requestOf(
  { account, market, positionSide, scope, size, ...legs }: SetProtection,
  kind: AttachedKind,
  side: Side,
): PlaceContractOrder {
  const { triggerPrice, triggerBy, price, clientOrderId }: ProtectionLeg = legs[kind];
  const isAll = scope === 'whole';
  return {
    type: 'PlaceContractOrder',
    account,
    market,
    clientOrderId,
    side,
    ...actingAt(price),
    size,
    funds: NO_ATOMS,
    triggerPrice,
    selfTradePrevention: 'expireTaker',
    contract: { positionSide, reduceOnly: !isAll, closePosition: isAll, triggerBy, trailingPpm: ppm(0), source: kind },
    takeProfit: NOT_ATTACHED,
    stopLoss: NOT_ATTACHED,
  };
}

interface Placed {
  readonly orderId: OrderId;
  readonly group: number;
  readonly at: Millis;
}

function orderOf({ contract, ...request }: PlaceContractOrder, { orderId: id, group, at }: Placed): OrderAccepted {
  const triggerDirection = contract.source === 'takeProfit' ? takeProfitDirection(request.side) : stopDirection(request.side);
  const { account, market, clientOrderId, side, orderType, timeInForce, price, size, funds, triggerPrice } = request;
  return {
    type: 'OrderAccepted',
    orderId: id,
    account,
    market,
    clientOrderId,
    side,
    orderType,
    timeInForce,
    price,
    size,
    funds,
    triggerPrice,
    slippagePpm: request.slippagePpm,
    selfTradePrevention: request.selfTradePrevention,
    createdAt: at,
    spot: undefined,
    contract: { ...contract, triggerDirection, parent: 0, group, takeProfit: NOT_ATTACHED, stopLoss: NOT_ATTACHED },
  };
}

function refuseLegs(trading: Trading, setting: Setting, legs: readonly Leg[]): CommandRejected | undefined {
  for (const leg of legs) {
    const refusal = refuseLeg(trading, setting, leg);
    if (refusal !== undefined)
      return refusal.field === '' || refusal.field === 'size' ? refusal : { ...refusal, field: fieldOf(leg.kind, refusal.field) };
  }
  return undefined;
}

/** Which of the two legs is refused: `takeProfit.triggerPrice`. */
const fieldOf = (kind: AttachedKind, field: string): string => `${kind}.${field}`;

function refuseLeg(trading: Trading, { market, former }: Setting, { request, order }: Leg): CommandRejected | undefined {
  const named = trading.orders.named.open(order.account, order.clientOrderId);
  const isTaken = named !== undefined && !former.includes(named);
  return (
    checkContractFields(request) ??
    checkContractBounds(request, market.terms, referenceOf(trading, market, order.createdAt)) ??
    refuseTrigger(market, request) ??
    checkContractCombination(request) ??
    (isTaken || trading.orders.named.placedBefore(order, trading.rules) !== undefined
      ? reject('DuplicateClientOrderId', 'clientOrderId')
      : undefined) ??
    refuseSide(trading, order, market)
  );
}

/** What protects sizes of a position protects together no more than all of it: a take-profit and a stop-loss of one group count once. */
function refuseSizes(trading: Trading, { command, row, market, former }: Setting): CommandRejected | undefined {
  const { account, scope, size } = command;
  if (scope === 'whole') return undefined;
  const others = trading.orders.ofAccounts
    .of(account)
    .filter(
      (open) => open.payer === row.payer && open.status === 'armed' && protects(open.order) && !isWhole(open) && !former.includes(open),
    );
  const closable = closableSize(trading, { payer: row.payer, side: row.size > 0 ? 'sell' : 'buy' });
  for (const kind of ATTACHED_KINDS) {
    if (!isAttached(command[kind])) continue;
    let sum: Lots = size;
    for (const open of others) if (open.order.contract?.source === kind) sum = addLots(sum, open.remaining);
    if (sum > closable) return reducesTooMuch(market, { asked: sum, limit: closable });
  }
  return undefined;
}

function refuseCounts(trading: Trading, { row, market, former }: Setting, legs: readonly Leg[]): CommandRejected | undefined {
  const { ofAccounts } = trading.orders;
  const { account } = row.exposure.holder;
  const all = ofAccounts.of(account);
  let triggers = legs.length;
  for (const open of all)
    if (open.payer === row.payer && open.market === market && !former.includes(open))
      triggers += triggersOf(open.order) + Number(open.status === 'armed' && protects(open.order));
  if (triggers > TRIGGERS_PER_POSITION)
    return rejectBeyond('TooManyTriggers', '', countBeyond({ asked: triggers, limit: TRIGGERS_PER_POSITION }));
  const more = legs.length - former.length;
  const isFull = all.length + more > OPEN_ORDERS_PER_ACCOUNT || ofAccounts.countIn(account, market) + more > market.terms.maxOpenOrders;
  return more > 0 && isFull ? reject('TooManyOpenOrders') : undefined;
}

function protectionSet({ account, market, positionSide, scope, size, key }: SetProtection, legs: readonly Leg[]): Event {
  const idOf = (kind: AttachedKind): OrderId | 0 => legs.find((leg) => leg.kind === kind)?.order.orderId ?? 0;
  return {
    type: 'ProtectionSet',
    account,
    market,
    positionSide,
    scope,
    size,
    takeProfit: idOf('takeProfit'),
    stopLoss: idOf('stopLoss'),
    key,
  };
}

function bodyOfProtection({ market, positionSide, scope, size, takeProfit, stopLoss }: SetProtection): string {
  const leg = ({ triggerPrice, triggerBy, price, clientOrderId }: ProtectionLeg): string =>
    `${triggerPrice}:${triggerBy}:${price}:${clientOrderId}`;
  return bodyOf(market, positionSide, scope, size, leg(takeProfit), leg(stopLoss));
}
