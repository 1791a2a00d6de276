import type { MarketId, OrderId } from '@orrery/units';
import type { Accounts } from '../accounts/accounts.ts';
import type { Listings } from '../instruments/listings.ts';
import type { FillBudget } from './fill-budget.ts';
import type { MatchPlan } from './match-plan.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Collaterals } from '../margin/collaterals.ts';
import type { Liquidations } from '../risk/liquidations.ts';
import type { Positions } from '../positions/positions.ts';
import type { OpenOrder } from './open-order.ts';
import type { OpenOrders } from './open-orders.ts';
import type { Purchase } from './purchase.ts';

/** The part of the state that orders need. */
export interface Trading extends Listings {
  readonly accounts: Accounts;
  readonly orders: OpenOrders;
  readonly ledger: Ledger;
  readonly positions: Positions;
  readonly collaterals: Collaterals;
  readonly liquidations: Liquidations;
  /** Markets whose reached triggers have not all fired; follows from their triggers. */
  readonly pending: Set<MarketId>;
  /** Orders that are over since the command began, and have something attached that begins now; not part of the state between commands. */
  readonly ended: OpenOrder[];
  /** Orders of a group that have traded, and the others of which have not followed yet; not part of the state between commands. Since rules 8. */
  readonly traded: OpenOrder[];
  /** Of orders that protect what they buy and have traded, by their ids. Since rules 8. */
  readonly purchases: Map<OrderId, Purchase>;
  /** Those of them that have traded or ended and were not looked at yet. */
  readonly bought: Set<OrderId>;
  /** Of each market the order that has more to trade than one command may; the first goes on next. Until it is done nothing else acts there. */
  readonly matching: Map<MarketId, OrderId>;
  readonly fills: FillBudget;
  /** Where the matching of one order is planned; not part of the state between commands. */
  readonly plan: MatchPlan;
}
