/** The whole state of the exchange. Commands change it, nothing else does. Each folder names the part of it that it needs. */
import { FIRST_RULES } from '@orrery/rules';
import { Accounts } from './accounts/accounts.ts';
import { PerpetualClearing } from './clearing/perpetual.ts';
import { SpotClearing } from './clearing/spot.ts';
import { Funds } from './funds/funds.ts';
import type { HashKey } from './keyed/keyed-hash.ts';
import { Ledger } from './ledger/ledger.ts';
import { Liquidations } from './risk/liquidations.ts';
import { Collaterals } from './margin/collaterals.ts';
import { CoinHolds } from './money/held-coins.ts';
import { MoneyRecords } from './money/money-records.ts';
import type { MoneyState } from './money/money-state.ts';
import { FillBudget } from './orders/fill-budget.ts';
import { MatchPlan } from './orders/match-plan.ts';
import { OpenOrders } from './orders/open-orders.ts';
import type { Trading } from './orders/trading.ts';
import { OtcDesk } from './otc/otc-desk.ts';
import type { OtcState } from './otc/otc-state.ts';
import type { Timed } from './timers/timed.ts';
import { Timers } from './timers/timers.ts';
import { Positions } from './positions/positions.ts';

export interface Exchange extends Trading, MoneyState, Timed, OtcState {}

/** @param fillsPerCommand another number than that of the rules only in tests */
export function emptyExchange(hashKey?: HashKey, fillsPerCommand?: number): Exchange {
  const ledger = new Ledger();
  const collaterals = new Collaterals();
  const positions = new Positions(ledger);
  const exchange: Exchange = {
    rules: FIRST_RULES,
    assets: new Map(),
    practiceAssets: new Set(),
    funds: new Funds(),
    markets: new Map(),
    contracts: new Map(),
    positions,
    collaterals,
    clearingOf: (terms) => new SpotClearing(ledger, terms),
    clearingOfContract: (contract) => new PerpetualClearing(exchange, contract),
    accounts: new Accounts(),
    ledger,
    orders: new OpenOrders(hashKey),
    money: new MoneyRecords(hashKey),
    coinHolds: new CoinHolds(),
    otc: new OtcDesk(),
    pending: new Set(),
    ended: [],
    traded: [],
    purchases: new Map(),
    bought: new Set(),
    timers: new Timers(),
    matching: new Map(),
    fills: new FillBudget(fillsPerCommand),
    plan: new MatchPlan(),
    liquidations: new Liquidations(),
  };
  return exchange;
}
