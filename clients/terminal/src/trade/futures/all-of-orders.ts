/** Each list of orders of contracts can be cancelled whole. */
import type { AllOf } from '../shared/tables/use-cancel.ts';
import { cancelContractOrders, cancelContractPlans, cancelContractStops } from './account.ts';
import type { OrderList } from './orders/contract-orders.tsx';

export const ALL_OF: Readonly<Record<OrderList, AllOf>> = {
  open: { cancel: cancelContractOrders, everywhere: 'trade.tables.cancelAllEverywhere', here: 'trade.tables.cancelAllHere' },
  plans: { cancel: cancelContractPlans, everywhere: 'futures.cancelAll.plans', here: 'futures.cancelAll.plansHere' },
  stops: { cancel: cancelContractStops, everywhere: 'futures.cancelAll.stops', here: 'futures.cancelAll.stopsHere' },
};
