import { assert } from '@orrery/units';
import type { Account } from '../accounts/account.ts';
import { SYSTEM_ACCOUNTS } from '../ledger/balance.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { ListedMarket } from '../instruments/listed-market.ts';
import { KEYED, type MoneyRecords } from '../money/money-records.ts';
import type { OpenOrder } from '../orders/open-order.ts';
import { takeContracts } from './contract-snapshot.ts';
import { takeFunds } from './fund-snapshot.ts';
import { byId, byName } from './in-order.ts';
import { takeOtc } from './otc-snapshot.ts';
import { takeQuotaUses } from './quota-snapshot.ts';
import { takeRules7 } from './rules-7-snapshot.ts';
import { takeRules8 } from './rules-8-snapshot.ts';
import { takeSpotTerms } from './spot-terms-snapshot.ts';
import type { Exchange } from '../exchange.ts';
import type { AccountSnapshot, KeySnapshot, MarketSnapshot, OrderSnapshot, Snapshot, SystemBalanceSnapshot } from './snapshot.ts';

export function takeSnapshot(exchange: Exchange): Snapshot {
  const { orders, ledger, money } = exchange;
  return {
    rules: exchange.rules,
    lastOrderId: orders.lastOrderId,
    lastTradeId: orders.lastTradeId,
    assets: byId(exchange.assets),
    accounts: [...exchange.accounts].map((account) => accountSnapshot(exchange, account)),
    balances: [...ledger.personal()],
    systemBalances: [...systemBalances(ledger)],
    orders: inOrderOfIds([...orders]),
    markets: byId(exchange.markets).map(marketSnapshot),
    keys: KEYED.flatMap((kind) => byName(money.bodies(kind)).map(([key, body]): KeySnapshot => ({ kind, key, body }))),
    withdrawals: withdrawalsOf(money),
    claims: claimsOf(money),
    caps: byId(money.caps),
    outflows: money.outflows.list(),
    ...takeContracts(exchange),
    ...takeRules7(exchange),
    ...takeRules8(exchange),
    ...takeSpotTerms(exchange),
    ...takeOtc(exchange),
    ...takeFunds(exchange),
    ...takeQuotaUses(exchange),
  };
}

function accountSnapshot({ accounts, orders }: Exchange, { id, address, suspended, lastClaimAt }: Account): AccountSnapshot {
  return {
    address,
    flags: accounts.flagsOf(id),
    closed: orders.named.closed(id),
    suspended,
    lastClaimAt: lastClaimAt === undefined ? [] : [lastClaimAt],
  };
}

function* systemBalances(ledger: Ledger): Generator<SystemBalanceSnapshot> {
  for (const system of SYSTEM_ACCOUNTS) {
    for (const { asset, free, held } of ledger.systemOf(system)) yield { system, asset, free, held };
  }
}

/** Open orders are kept in the order of their ids, and have all that a snapshot holds of them. */
function inOrderOfIds(orders: readonly OpenOrder[]): readonly OrderSnapshot[] {
  let last = 0;
  for (const { order } of orders) {
    assert(order.orderId > last, 'open orders are kept in the order of their ids');
    last = order.orderId;
  }
  return orders;
}

function marketSnapshot({ terms, state, book, triggers, ...prices }: ListedMarket): MarketSnapshot {
  const { lastPrice, lastTradeAt, indexPrice, indexAt, average, averageAt } = prices;
  const resting = [...book.orders('buy'), ...book.orders('sell')].map((slot) => book.orderIdOf(slot));
  return { terms, state, lastPrice, lastTradeAt, indexPrice, indexAt, average, averageAt, reached: triggers.marks('last'), resting };
}

function withdrawalsOf(money: MoneyRecords): Snapshot['withdrawals'] {
  return byName(money.withdrawals).map(([withdrawalId, { heldAt, ...withdrawal }]) => ({
    withdrawalId,
    ...withdrawal,
    heldAt: heldAt === undefined ? [] : [heldAt],
  }));
}

function claimsOf(money: MoneyRecords): Snapshot['claims'] {
  return byName(money.claims).map(([claimId, claim]) => ({ claimId, ...claim }));
}
