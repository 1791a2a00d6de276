/** The words of a tape as commands. */
import { assert, atoms, lots, marketId, orderId, ppm, ticks, type AccountId } from '@orrery/units';
import {
  NOT_ATTACHED,
  SELF_TRADE_PREVENTIONS,
  TIMES_IN_FORCE,
  type AccountFlag,
  type AttachedTrigger,
  type Command,
  type MarketState,
  type PairLeg,
  type PlaceOrder,
  type PlaceSpotOrder,
  type SpotTerms,
  type Wallet,
} from '@orrery/protocol';
import { parseOtcOperator, parseOtcPerson } from './tape-otc.ts';
import { accountOf, addressOf, assetOf } from './tape-people.ts';

const MARKET = marketId(1);

export function parseCommand(who: string, words: readonly string[]): Command {
  if (words[0] === 'otc') return who === 'exchange' ? parseOtcOperator(words.slice(1)) : parseOtcPerson(accountOf(who), words.slice(1));
  return who === 'exchange' ? parseOperator(words) : parsePerson(accountOf(who), who, words);
}

/** `halt`, `cancel-only`, `open`, `index 100`, `set alice blocked on`, `expire`, `caps USDC 100 500`, `fund faucet 10 CLAIM key`, `award alice 5 POINTS key`, `reverse key key`, … */
function parseOperator([verb = '', ...words]: readonly string[]): Command {
  const states: Record<string, MarketState> = { halt: 'HALT', 'cancel-only': 'CANCEL_ONLY', open: 'TRADING' };
  const state = states[verb];
  if (state !== undefined) return { type: 'SetMarketState', market: MARKET, state };
  const [first = '', second = '', third = '', fourth = ''] = words;
  switch (verb) {
    case 'index':
      return { type: 'SetIndexPrice', market: MARKET, price: ticks(Number(first)) };
    case 'continue':
      return { type: 'ContinueTriggers', market: MARKET };
    case 'upgrade':
      return { type: 'UpgradeRules', version: Number(first) };
    case 'caps':
      return { type: 'SetWithdrawalCaps', asset: assetOf(first), hourly: atoms(BigInt(second)), daily: atoms(BigInt(third)) };
    case 'expire':
      return { type: 'ExpireOrders' };
    case 'set':
      return { type: 'SetAccountFlag', account: accountOf(first), flag: second as AccountFlag, value: third === 'on' };
    case 'credit':
      return { type: 'CreditDeposit', address: addressOf(first), amount: atoms(BigInt(second)), asset: assetOf(third), key: fourth };
    case 'suspend':
      return { type: 'SuspendDeposit', key: first };
    case 'write-off':
      return { type: 'WriteOffDeposit', key: first };
    case 'fund':
      return {
        type: 'FundBudget',
        budget: first === 'faucet' || first === 'insurance' ? first : 'rewards',
        amount: atoms(BigInt(second)),
        asset: assetOf(third),
        key: fourth,
      };
    case 'award':
      return {
        type: 'AwardFromBudget',
        budget: 'rewards',
        account: accountOf(first),
        amount: atoms(BigInt(second)),
        asset: assetOf(third),
        key: fourth,
      };
    case 'reverse':
      return { type: 'ReverseAward', awardKey: first, key: second };
    case 'sent':
      return { type: 'MarkWithdrawalSent', withdrawalId: withdrawalIdOf(first), txHash: second };
    case 'post':
      return { type: 'PostWithdrawal', withdrawalId: withdrawalIdOf(first), txHash: second };
    case 'refund':
      return { type: 'RefundWithdrawal', withdrawalId: withdrawalIdOf(first) };
    case 'settle':
      return { type: 'SettleFaucetClaim', claimId: first, outcome: second === 'paid' ? 'paid' : 'failed' };
    default:
      throw new Error(`a tape does not know: exchange ${verb}`);
  }
}

export const withdrawalIdOf = (name: string): string => `0x${name.charCodeAt(0).toString(16).padStart(64, '0')}`;

function parsePerson(account: AccountId, who: string, [verb = '', ...words]: readonly string[]): Command {
  const [first = '', second = '', third = '', fourth = ''] = words;
  switch (verb) {
    case 'buy':
    case 'sell':
      return withTerms(parseOrder(account, verb, words), words);
    case 'pair':
      return parsePair(account, first === 'buy' ? 'buy' : 'sell', words.slice(1));
    case 'cancel':
      if (first === 'all') return { type: 'CancelAllOrders', account, market: 0 };
      return first.startsWith('#')
        ? { type: 'CancelOrder', account, orderId: orderId(Number(first.slice(1))), clientOrderId: '' }
        : { type: 'CancelOrder', account, orderId: 0, clientOrderId: first };
    case 'amend': {
      const { price, size, clientOrderId } = parseOrder(account, 'buy', words.slice(1));
      return { type: 'AmendOrder', account, orderId: orderId(Number(first.slice(1))), clientOrderId, price, size };
    }
    case 'transfer': {
      const [from, to] = third.split('>');
      return {
        type: 'Transfer',
        account,
        amount: atoms(BigInt(first)),
        asset: assetOf(second),
        from: from as Wallet,
        to: to as Wallet,
        transferId: fourth,
      };
    }
    case 'withdraw':
    case 'internal':
      return {
        type: verb === 'internal' ? 'WithdrawInternally' : 'RequestWithdrawal',
        account,
        amount: atoms(BigInt(first)),
        asset: assetOf(second),
        to: addressOf(third),
        withdrawalId: withdrawalIdOf(fourth),
      };
    case 'claim':
      return { type: 'ReserveFaucetClaim', account, claimId: first };
    case 'opens':
      return { type: 'OpenAccount', address: addressOf(who) };
    default:
      throw new Error(`a tape does not know: ${verb}`);
  }
}

type Words = readonly string[];

const wordAfter = (words: Words, word: string): string | undefined => (words.includes(word) ? words[words.indexOf(word) + 1] : undefined);

/** Any of: take 110 in the place of stop, trail 20000, activation 105, gain 120, gain-limit 119, loss 90, loss-limit 89. Without one it is a plain order. */
function withTerms(order: PlaceOrder, words: Words): PlaceOrder | PlaceSpotOrder {
  const number = (word: string): number => Number(wordAfter(words, word) ?? 0);
  const attached = (kind: string): AttachedTrigger =>
    words.includes(kind)
      ? { triggerPrice: ticks(number(kind)), triggerBy: 'last', price: ticks(number(`${kind}-limit`)) }
      : { ...NOT_ATTACHED, price: ticks(number(`${kind}-limit`)) };
  const spot: SpotTerms = {
    source: words.includes('take') ? 'takeProfit' : 'plain',
    trailingPpm: ppm(number('trail')),
    activationPrice: ticks(number('activation')),
    takeProfit: attached('gain'),
    stopLoss: attached('loss'),
  };
  const isPlain = !['take', 'trail', 'activation', 'gain', 'gain-limit', 'loss', 'loss-limit'].some((word) => words.includes(word));
  return isPlain ? order : { ...order, type: 'PlaceSpotOrder', spot };
}

/** `10 above 110 below 89 stop 90 id name`: a leg is a limit, or `market`, then of a triggered one `take 110` or `stop 90`. */
function parsePair(account: AccountId, side: PlaceOrder['side'], words: Words): Command {
  const split = words.indexOf('below');
  const leg = (name: string, part: Words): PairLeg => {
    const { clientOrderId, orderType, price, triggerPrice, slippagePpm } = parseOrder(account, side, [
      '0',
      '@',
      wordAfter(part, name) ?? '0',
      ...part,
    ]);
    return { clientOrderId, orderType, price, triggerPrice, slippagePpm };
  };
  return {
    type: 'PlacePair',
    account,
    market: MARKET,
    side,
    size: lots(Number(words[0])),
    selfTradePrevention: parseOrder(account, side, words).selfTradePrevention,
    above: leg('above', words.slice(0, split)),
    below: leg('below', words.slice(split)),
  };
}

/** `10 @ 100`, `10 @ market`, `funds 500 @ market`, then any of: ioc fok gtx, stop 105, worst 101, slippage 20000, stp decrement, id name. */
function parseOrder(account: AccountId, side: PlaceOrder['side'], words: readonly string[]): PlaceOrder {
  const after = (word: string): string | undefined => wordAfter(words, word);
  const price = after('@') ?? '0';
  const atMarket = price === 'market';
  const stop = after('stop') ?? after('take') ?? (words.includes('trail') ? '0' : undefined);
  const timeInForce = TIMES_IN_FORCE.find((tif) => words.includes(tif.toLowerCase())) ?? (atMarket ? 'IOC' : 'GTC');
  const mode = after('stp');
  const orderType = stop === undefined ? (atMarket ? 'market' : 'limit') : atMarket ? 'stopMarket' : 'stopLimit';
  const selfTradePrevention = SELF_TRADE_PREVENTIONS.find((one) => one === (mode ?? 'expireTaker'));
  assert(selfTradePrevention !== undefined, `a tape does not know: stp ${mode}`);
  return {
    type: 'PlaceOrder',
    account,
    market: MARKET,
    clientOrderId: after('id') ?? '',
    side,
    orderType,
    timeInForce,
    price: ticks(Number(atMarket ? (after('worst') ?? 0) : price)),
    size: lots(/^[0-9]+$/.test(words[0] ?? '') ? Number(words[0]) : 0),
    funds: atoms(BigInt(after('funds') ?? 0)),
    triggerPrice: ticks(Number(stop ?? 0)),
    slippagePpm: ppm(Number(after('slippage') ?? 0)),
    selfTradePrevention,
  };
}
