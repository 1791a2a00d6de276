/** The exchange as a function: a command in its place of history goes in, the facts that come of it come out. No clock, no chance, no I/O. */
import { unreachable, type Millis } from '@orrery/units';
import { isFundCommand, isOtcCommand } from '@orrery/protocol';
import type {
  AmendOrder,
  Command,
  ContractCommand,
  Event,
  FundCommand,
  OtcCommand,
  PlaceOrder,
  PlaceOrders,
  PlacePair,
  PlaceSpotOrder,
  Sequenced,
} from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { openAccount } from './accounts/open-account.ts';
import type { HashKey } from './keyed/keyed-hash.ts';
import { afterFlag, afterIndex, afterOrder, continuation, continueOrder, continueTriggers } from './aftermath.ts';
import { registerAsset } from './instruments/register-asset.ts';
import { registerMarket } from './instruments/register-market.ts';
import { setMarketState } from './instruments/set-market-state.ts';
import { setMarketTerms } from './instruments/set-market-terms.ts';
import { upgradeRules } from './instruments/upgrade-rules.ts';
import { RunningHash } from './ledger/running-hash.ts';
import { awardFromBudget, fundBudget, reverseAward } from './money/budgets.ts';
import { creditDeposit } from './money/credit-deposit.ts';
import { reserveFaucetClaim, settleFaucetClaim } from './money/faucet-claims.ts';
import { markWithdrawalSent, postWithdrawal, refundWithdrawal } from './money/pay-withdrawal.ts';
import { requestWithdrawal } from './money/request-withdrawal.ts';
import { withdrawInternally } from './money/withdraw-internally.ts';
import { setWithdrawalCaps } from './money/set-withdrawal-caps.ts';
import { suspendDeposit } from './money/suspend-deposit.ts';
import { transfer } from './money/transfer.ts';
import { writeOffDeposit } from './money/write-off-deposit.ts';
import { amendOrder } from './orders/amend-order.ts';
import { cancelAllOrders } from './orders/cancel-all-orders.ts';
import { cancelOrder } from './orders/cancel-order.ts';
import { cancelOrders } from './orders/cancel-orders.ts';
import { expireOrders } from './orders/expire-orders.ts';
import { mustWait } from './orders/must-wait.ts';
import type { OrderOutcome } from './orders/order-outcome.ts';
import { placeOrder, placeSpotOrder } from './orders/place-order.ts';
import { placePair } from './orders/place-pair.ts';
import { protectPurchases } from './orders/purchases.ts';
import { placeOrders } from './orders/place-orders.ts';
import { afterPositions } from './orders/after-positions.ts';
import { recheckOrders } from './orders/recheck-orders.ts';
import { decideContract } from './decide-contract.ts';
import { decideOtc } from './decide-otc.ts';
import { Due } from './due.ts';
import { emptyExchange, type Exchange } from './exchange.ts';
import { factsOf } from './snapshot/facts.ts';
import { mixEvents } from './snapshot/mix-events.ts';
import { decideFund } from './fund/decide-fund.ts';
import { followFunds } from './fund/follow-funds.ts';
import { restoreSnapshot } from './snapshot/restore-snapshot.ts';
import { decodeSnapshot, encodeSnapshot, layoutsOf, newestLayoutOf } from './snapshot/snapshot-codec.ts';
import { takeSnapshot } from './snapshot/take-snapshot.ts';

export interface Engine {
  /**
   * Applies one command: changes the state and gives the facts, a refused command exactly one `CommandRejected`.
   * Throws only on a bug; the state is then not to be used any more.
   */
  apply(sequenced: Sequenced): readonly Event[];
  /** The present state as events, so that a view can be loaded without history. */
  facts(): readonly Event[];
  /** The command to apply next because earlier ones left work over; undefined when there is none. The sequencer places it. */
  continuation(): Command | undefined;
  /** The command that is due before one of this time: a settlement of funding, timers, orders past their lifetime. The sequencer places it. */
  due(at: Millis): Command | undefined;
  /** Whether a command has to wait: it could touch a market in which an order is unfinished, and would be refused. */
  mustWait(command: Command): boolean;
  /** A hash over what the commands since the last call changed, and begins the next one. Equal for engines that applied them alike. */
  takeRunningHash(): Uint8Array;
  /** M1: what does not sum to zero over all balances, in a sentence; undefined when everything does. It reads every balance. */
  imbalance(): string | undefined;
  /** The layouts in which `encodeState` can write the present state, the newest first. */
  stateLayouts(): readonly number[];
  /** Canonical: equal states give equal bytes in one layout, whatever their history. Throws for a layout that is not one of `stateLayouts`. */
  encodeState(layout?: number): Uint8Array;
}

/** Commands that change accounts by nothing but their funding. */
const PAYS_FUNDING: ReadonlySet<Command['type']> = new Set(['SettleFunding', 'ForceFunding', 'ContinueFunding']);

/** What changes nothing of what an engine decides. */
export interface EngineOptions {
  /** Keys the hash of the ids that clients choose, so that they cannot flood it. A secret; without it the hash is known to everybody. */
  readonly hashKey?: HashKey;
}

export function createEngine({ hashKey }: EngineOptions = {}): Engine {
  return engineOn(emptyExchange(hashKey));
}

/** Restores an engine from `encodeState`. Throws when the bytes are none. */
export function decodeState(bytes: Uint8Array, { hashKey }: EngineOptions = {}): Engine {
  return engineOn(restoreSnapshot(decodeSnapshot(bytes), hashKey));
}

/** Tests bring an exchange of their own. */
export function engineOn(exchange: Exchange): Engine {
  const hash = new RunningHash();
  const due = new Due(exchange);
  return {
    apply({ at, command }) {
      exchange.fills.reset(exchange.rules);
      // By what was open before: a first order is heard of, however long nothing was heard.
      const { otc } = exchange;
      const wasAway = otc.wasAway(at);
      const events = mustWait(exchange, command) ? [reject('MatchingUnfinished')] : decide(exchange, command, at);
      if (exchange.positions.hasRechecks) recheckOrders({ trading: exchange, at, events });
      if (exchange.positions.hasTouched || exchange.ended.length > 0) afterPositions({ trading: exchange, at, events });
      if (exchange.bought.size > 0) protectPurchases({ trading: exchange, at, events });
      if (exchange.funds.size > 0) followFunds(exchange.funds, command, events);
      if (!wasAway && exchange.rules >= 9 && events[0]?.type !== 'CommandRejected') otc.hear(at);
      exchange.positions.closeCommand(events, hash);
      exchange.ledger.closeCommand(events, hash);
      if (exchange.contracts.size > 0) exchange.liquidations.watch.follow(events, PAYS_FUNDING.has(command.type));
      if (exchange.rules >= 6) mixEvents(events, hash, exchange.rules);
      hash.mix(exchange.orders.lastOrderId);
      hash.mix(exchange.orders.lastTradeId);
      hash.mix(events.length);
      // After the running hash: a journal from before there was this fact replays to the same one.
      exchange.ledger.emitInsurance(events);
      return events;
    },
    facts: () => factsOf(exchange),
    continuation: () => continuation(exchange),
    due: (at) => due.by(at),
    mustWait: (command) => mustWait(exchange, command),
    takeRunningHash: () => hash.take(),
    imbalance: () => imbalanceOf(exchange),
    stateLayouts: () => layoutsOf(layered(exchange)),
    encodeState: (layout = newestLayoutOf(layered(exchange))) => encodeSnapshot(takeSnapshot(exchange), layout),
  };
}

/** What the layouts of a state depend on. */
const layered = (exchange: Exchange) => ({ ...exchange, fundShares: [...exchange.funds.shares] });

function imbalanceOf({ assets, ledger }: Exchange): string | undefined {
  const sums = [...ledger.imbalances()].map(([asset, sum]) => `${assets.get(asset)?.code ?? asset} by ${sum}`);
  return sums.length === 0 ? undefined : `the balances of all accounts do not sum to zero: ${sums.join(', ')}`;
}

/** What may trade in a spot market or, placed together and amended, in a contract. */
type TradingCommand = PlaceOrder | PlaceSpotOrder | PlacePair | PlaceOrders | AmendOrder;

function trade(exchange: Exchange, command: TradingCommand, at: Millis): OrderOutcome {
  switch (command.type) {
    case 'PlaceOrder':
      return placeOrder(exchange, command, at);
    case 'AmendOrder':
      return amendOrder(exchange, command, at);
    case 'PlaceSpotOrder':
      return placeSpotOrder(exchange, command, at);
    case 'PlacePair':
      return placePair(exchange, command, at);
    case 'PlaceOrders':
      return placeOrders(exchange, command, at);
    default:
      return unreachable(command);
  }
}

function decide(exchange: Exchange, command: Command, at: Millis): Event[] {
  switch (command.type) {
    case 'PlaceOrder':
    case 'PlaceSpotOrder':
    case 'PlacePair':
    case 'PlaceOrders':
    case 'AmendOrder':
      return afterOrder(exchange, at, trade(exchange, command, at));
    case 'CancelOrders':
      return cancelOrders(exchange, command, at);
    case 'CancelOrder':
      return cancelOrder(exchange, command, at);
    case 'CancelAllOrders':
      return cancelAllOrders(exchange, command, at);
    case 'ContinueTriggers':
      return continueTriggers(exchange, command, at);
    case 'ContinueMatching':
      return continueOrder(exchange, command, at);
    case 'ExpireOrders':
      return expireOrders(exchange, at);
    case 'RegisterAsset':
      return registerAsset(exchange, command);
    case 'RegisterMarket':
      return registerMarket(exchange, command);
    case 'SetMarketState':
      return setMarketState(exchange, command, at);
    case 'SetMarketTerms':
      return setMarketTerms(exchange, command);
    case 'SetIndexPrice':
      return afterIndex(exchange, command, at);
    case 'UpgradeRules':
      return upgradeRules(exchange, command, at);
    case 'SetWithdrawalCaps':
      return setWithdrawalCaps(exchange, command);
    case 'OpenAccount':
      return openAccount(exchange.accounts, command);
    case 'SetAccountFlag':
      return afterFlag(exchange, command, at);
    case 'CreditDeposit':
      return creditDeposit(exchange, command);
    case 'SuspendDeposit':
      return suspendDeposit(exchange, command);
    case 'WriteOffDeposit':
      return writeOffDeposit(exchange, command);
    case 'Transfer':
      return transfer(exchange, command, at);
    case 'RequestWithdrawal':
      return requestWithdrawal(exchange, command, at);
    case 'WithdrawInternally':
      return withdrawInternally(exchange, command, at);
    case 'MarkWithdrawalSent':
      return markWithdrawalSent(exchange, command);
    case 'PostWithdrawal':
      return postWithdrawal(exchange, command);
    case 'RefundWithdrawal':
      return refundWithdrawal(exchange, command, at);
    case 'FundBudget':
      return fundBudget(exchange, command);
    case 'AwardFromBudget':
      return awardFromBudget(exchange, command);
    case 'ReverseAward':
      return reverseAward(exchange, command);
    case 'ReserveFaucetClaim':
      return reserveFaucetClaim(exchange, command, at);
    case 'SettleFaucetClaim':
      return settleFaucetClaim(exchange, command);
    default:
      return decideElsewhere(exchange, command, at);
  }
}

/** Of contracts, of the OTC desk and of funds. */
function decideElsewhere(exchange: Exchange, command: ContractCommand | OtcCommand | FundCommand, at: Millis): Event[] {
  if (isOtcCommand(command)) return decideOtc(exchange, command, at);
  return isFundCommand(command) ? decideFund(exchange, command, at) : decideContract(exchange, command, at);
}
