/** The whole state of the exchange. Commands change it, nothing else does. Each folder names the part of it that it needs. */
import { FIRST_RULES } from '@orrery/rules';
import { Accounts } from './accounts/accounts.ts';
import { SpotClearing } from './clearing/spot.ts';
import type { HashKey } from './keyed/keyed-hash.ts';
import { Ledger } from './ledger/ledger.ts';
import { MoneyRecords } from './money/money-records.ts';
import type { MoneyState } from './money/money-state.ts';
import { MatchPlan } from './orders/match-plan.ts';
import { OpenOrders } from './orders/open-orders.ts';
import type { Trading } from './orders/trading.ts';

export interface Exchange extends Trading, MoneyState {}

export function emptyExchange(hashKey?: HashKey): Exchange {
  const ledger = new Ledger();
  return {
    rules: FIRST_RULES,
    assets: new Map(),
    markets: new Map(),
    clearingOf: (terms) => new SpotClearing(ledger, terms),
    accounts: new Accounts(),
    ledger,
    orders: new OpenOrders(hashKey),
    money: new MoneyRecords(hashKey),
    pending: new Set(),
    plan: new MatchPlan(),
  };
}
