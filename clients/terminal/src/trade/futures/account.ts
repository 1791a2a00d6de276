/** What the account has in contracts: positions, margin and orders, read again soon after anything is done. */
import type { FuturesOrder, MarginAccount, Plan, Position, ProfitStop } from '@orrery/api';
import { act, refresh } from '../../data/calls.ts';
import type { CallInput } from '../../data/calls.ts';
import type { Loaded } from '../../data/loaded.ts';
import { useData } from '../../data/use-data.ts';
import { useSignedIn } from '../shared/account.ts';
import type { ContractMarket } from './contract/contract-market.ts';

const POLL_MS = 1_000;
const LISTED = 100;
const page = { query: { page: 1, size: LISTED } };

/** The open positions of the account, in every contract. */
export const usePositions = (): Loaded<readonly Position[]> =>
  useData({ name: 'positions', of: 'account', when: useSignedIn(), pollMs: POLL_MS });

/** The positions of one contract, empty ones too: they have its leverage and margin mode. One way has one, hedge two. */
export const useContractPositions = ({ wire }: ContractMarket): readonly Position[] | undefined =>
  useData({ name: 'positions', input: { query: { symbol: wire } }, of: 'account', when: useSignedIn(), pollMs: POLL_MS }).value;

/** The account of the kind that a contract is margined in. */
export function useMarginAccount({ info }: ContractMarket): MarginAccount | undefined {
  const account = useData({ name: 'futuresAccount', of: 'account', when: useSignedIn(), pollMs: POLL_MS }).value;
  return account?.accounts.find((one) => one.underlyingType === info.underlyingType && one.settleCoin === info.settleCoin);
}

export interface ContractOrders {
  readonly open: readonly FuturesOrder[] | undefined;
  readonly plans: readonly Plan[] | undefined;
  readonly stops: readonly ProfitStop[] | undefined;
}

export function useContractOrders(): ContractOrders {
  const when = useSignedIn();
  const open = useData({ name: 'futuresOrders', input: page, of: 'account', when, pollMs: POLL_MS }).value;
  const plans = useData({ name: 'plans', input: page, of: 'account', when, pollMs: POLL_MS }).value;
  const stops = useData({ name: 'profitStops', input: page, of: 'account', when, pollMs: POLL_MS }).value;
  return { open: open?.items, plans: plans?.items, stops: stops?.items };
}

const OWN = ['positions', 'futuresAccount', 'futuresOrders', 'plans', 'profitStops', 'futuresFills', 'twaps'] as const;

/** What a person does to contracts. What it changed is read again; what was refused has been said in a toast by then. */
type Deed =
  | 'adjustLeverage'
  | 'adjustPositionMargin'
  | 'cancelAllFuturesOrders'
  | 'cancelFuturesOrder'
  | 'cancelPlan'
  | 'cancelProfitStop'
  | 'cancelTwap'
  | 'changePositionMode'
  | 'changePositionType'
  | 'closeAllPositions'
  | 'createFuturesOrder'
  | 'createFuturesOrders'
  | 'createPlan'
  | 'createProfitStop'
  | 'createTwap'
  | 'setAutoMargin'
  | 'updateFuturesOrder'
  | 'updateProfitStop';

export async function change<Name extends Deed>(name: Name, body: NonNullable<CallInput<Name>['body']>): ReturnType<typeof act<Name>> {
  try {
    return await act(name, { body });
  } finally {
    void refresh(...OWN);
  }
}
