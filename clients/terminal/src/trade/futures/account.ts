/** What the account has in contracts, as its stream says, and what a person does to it. */
import type { CallData, FuturesOrder, MarginAccount, Plan, Position, ProfitStopTerms, Twap } from '@orrery/api';
import { useEffect, useMemo } from 'react';
import { act, ask, refresh } from '../../platform/data/calls.ts';
import type { CallInput } from '../../platform/data/calls.ts';
import type { By } from '../../kit/storage/account-in-view.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { useContractAccount } from '../../platform/data/streams/use-account.ts';
import type { ContractMarket } from '../../market/contract-market.ts';
import { legsOf } from './contract-legs.ts';

/** The open positions of the account, in every contract. */
export const usePositions = (): Loaded<readonly Position[]> => useContractAccount('positions');

/** The positions of one contract, empty ones too: they have its leverage and margin mode. One way has one, hedge two. */
export function useContractPositions(market: ContractMarket): readonly Position[] | undefined {
  const terms = useContractAccount('terms').value;
  const positions = usePositions().value;
  const mode = useMarginAccount(market)?.positionMode;
  return useMemo(
    () => (terms === undefined || positions === undefined || mode === undefined ? undefined : legsOf(market, { terms, positions, mode })),
    [market, terms, positions, mode],
  );
}

/** The account of the kind that a contract is margined in. */
export function useMarginAccount({ info }: ContractMarket): MarginAccount | undefined {
  const accounts = useContractAccount('accounts').value;
  return accounts?.find((one) => one.underlyingType === info.underlyingType && one.settleCoin === info.settleCoin);
}

export interface ContractOrders {
  readonly open: Loaded<readonly FuturesOrder[]>;
  readonly plans: Loaded<readonly Plan[]>;
  readonly stops: Loaded<readonly ProfitStopTerms[]>;
}

export const useContractOrders = (): ContractOrders => ({
  open: useContractAccount('orders'),
  plans: useContractAccount('plans'),
  stops: useContractAccount('stops'),
});

/** The TWAPs that are running, in every contract. */
export const useTwaps = (): Loaded<readonly Twap[]> => useContractAccount('twaps');

/** What has happened is known from the stream since it began to send; what happened while it was away is read again. Mounted once on the page of a contract. */
export function useMissedContracts(): void {
  const round = useContractAccount('round').value ?? 0;
  useEffect(() => {
    if (round > 0) void refresh('futuresFills', 'liquidations');
  }, [round]);
}

/** The projection has an event of the stream a moment later, on a busy machine a longer one. */
const SETTLE_MS = [400, 2_000, 8_000];

/** Gives back what takes it back. */
function readAgain(...names: readonly string[]): () => void {
  const timers = SETTLE_MS.map((millis) => setTimeout(() => void refresh(...names), millis));
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}

/** An order, a fill or a TWAP on the stream makes the tables of what is over stale. Mounted once beside them. */
export function useFreshRecords(): void {
  const orders = useContractAccount('orders').value;
  const fills = useContractAccount('fills').value;
  const twaps = useContractAccount('twaps').value;
  // Before the stream has sent the account nothing has happened to it.
  useEffect(() => {
    if (orders === undefined || fills === undefined) return undefined;
    return readAgain('futuresOrderHistory', 'futuresFillPages', 'positionHistory');
  }, [orders, fills]);
  useEffect(() => (twaps === undefined ? undefined : readAgain('twapHistory')), [twaps]);
}

/** What a person does to contracts. What it changed comes by the stream; what was refused has been said in a toast by then. */
type Mutation =
  | 'adjustLeverage'
  | 'adjustPositionMargin'
  | 'cancelAllFuturesOrders'
  | 'cancelAllPlans'
  | 'cancelAllProfitStops'
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
  | 'createTwap'
  | 'reversePosition'
  | 'setAutoMargin'
  | 'setProtection'
  | 'updateFuturesOrder'
  | 'updateProfitStop';

export const change = <Name extends Mutation>(name: Name, body: NonNullable<CallInput<Name>['body']>, by: By): Promise<CallData[Name]> =>
  act(name, { body }, by);

/** The same for a form, which says in place what was refused. */
export const request = <Name extends Mutation>(name: Name, body: NonNullable<CallInput<Name>['body']>, by: By): Promise<CallData[Name]> =>
  ask(name, { body }, by);

export const cancelContractOrders = (symbol: string | undefined, by: By): Promise<readonly string[]> =>
  change('cancelAllFuturesOrders', { ...(symbol !== undefined && { symbol }) }, by);

export const cancelContractPlans = (symbol: string | undefined, by: By): Promise<readonly string[]> =>
  change('cancelAllPlans', { ...(symbol !== undefined && { symbol }) }, by);

export const cancelContractStops = (symbol: string | undefined, by: By): Promise<readonly string[]> =>
  change('cancelAllProfitStops', { ...(symbol !== undefined && { symbol }) }, by);
