/** What the account has in contracts: positions, margin and orders, read again soon after anything is done. */
import type { CallData, FuturesOrder, MarginAccount, Plan, Position, ProfitStop, Twap } from '@orrery/api';
import { useCallback, useEffect } from 'react';
import { act, refresh } from '../../data/calls.ts';
import type { CallInput } from '../../data/calls.ts';
import { mapped } from '../../data/loaded.ts';
import type { By } from '../../storage/account-in-view.ts';
import type { Loaded } from '../../data/loaded.ts';
import { useData } from '../../data/use-data.ts';
import { streamStatus, type ContractNews } from '../../data/streams/streams.ts';
import { useContractNews } from '../../data/streams/use-account-stream.ts';
import { useSignedIn } from '../shared/account.ts';
import { markedPollMsOf, pollMsOf, positionsPollMsOf, Readings, type Following } from './pace.ts';
import type { ContractMarket } from './contract/contract-market.ts';

const LISTED_POLL_MS = 15_000;
const LISTED = 100;
const page = { query: { page: 1, size: LISTED } };

/** Whether the stream of the account has sent all that there is, on this page. */
let isReady = false;
const following = (): Following => ({ isReady, phase: streamStatus()?.phase });

/** The open positions of the account, in every contract. */
export const usePositions = (): Loaded<readonly Position[]> =>
  useData({ name: 'positions', of: 'account', when: useSignedIn(), pollMs: (known) => positionsPollMsOf(following(), known) });

/** The positions of one contract, empty ones too: they have its leverage and margin mode. One way has one, hedge two. */
export const useContractPositions = ({ wire }: ContractMarket): readonly Position[] | undefined =>
  useData({
    name: 'positions',
    input: { query: { symbol: wire } },
    of: 'account',
    when: useSignedIn(),
    pollMs: () => pollMsOf(following()),
  }).value;

/** The account of the kind that a contract is margined in. */
export function useMarginAccount({ info }: ContractMarket): MarginAccount | undefined {
  const account = useData({
    name: 'futuresAccount',
    of: 'account',
    when: useSignedIn(),
    pollMs: (known) => markedPollMsOf(following(), known?.accounts ?? []),
  }).value;
  return account?.accounts.find((one) => one.underlyingType === info.underlyingType && one.settleCoin === info.settleCoin);
}

const itemsOf = <Row>({ items }: { readonly items: readonly Row[] }): readonly Row[] => items;

export interface ContractOrders {
  readonly open: Loaded<readonly FuturesOrder[]>;
  readonly plans: Loaded<readonly Plan[]>;
  readonly stops: Loaded<readonly ProfitStop[]>;
}

export function useContractOrders(): ContractOrders {
  const when = useSignedIn();
  const open = useData({ name: 'futuresOrders', input: page, of: 'account', when, pollMs: LISTED_POLL_MS });
  const plans = useData({ name: 'plans', input: page, of: 'account', when, pollMs: LISTED_POLL_MS });
  const stops = useData({ name: 'profitStops', input: page, of: 'account', when, pollMs: LISTED_POLL_MS });
  return { open: mapped(open, itemsOf), plans: mapped(plans, itemsOf), stops: mapped(stops, itemsOf) };
}

/** The TWAPs that are running, in every contract. */
export const useTwaps = (): Loaded<readonly Twap[]> =>
  useData({ name: 'twaps', of: 'account', when: useSignedIn(), pollMs: LISTED_POLL_MS });

const OWN = ['positions', 'futuresAccount', 'futuresOrders', 'plans', 'profitStops', 'futuresFills', 'twaps'] as const;

/** What each of the account's news makes old. */
const OLD_BY = {
  order: ['futuresOrders', 'plans', 'profitStops', 'twaps', 'positions', 'futuresAccount'],
  position: ['positions', 'futuresAccount', 'profitStops'],
  balance: ['futuresAccount'],
  trade: ['positions', 'futuresAccount', 'futuresOrders'],
  liquidation: OWN,
  ready: OWN,
} as const satisfies Record<ContractNews['kind'], readonly string[]>;

/** The projection has a trade a moment later, on a busy machine a longer one. */
const SETTLE_MS = [500, 3_000];

const readings = new Readings();

/** What is shown of these is old, whether the stream or a call says so: both together are one reading. */
function readSoon(names: readonly string[]): void {
  for (const name of names) {
    const ms = readings.due(name, performance.now());
    if (ms === undefined) continue;
    setTimeout(() => {
      readings.begin(name);
      void refresh(name);
    }, ms);
  }
}

/** Reads again what the stream says has changed. Mounted once on the page of a contract. */
export function useFreshContracts(): void {
  useContractNews(
    useCallback(({ kind }: ContractNews) => {
      isReady ||= kind === 'ready';
      readSoon(OLD_BY[kind]);
      if (kind === 'trade') for (const ms of SETTLE_MS) setTimeout(() => readSoon(['futuresFills']), ms);
    }, []),
  );
  useEffect(
    () => () => {
      isReady = false;
    },
    [],
  );
}

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
  | 'reversePosition'
  | 'setAutoMargin'
  | 'updateFuturesOrder'
  | 'updateProfitStop';

export async function change<Name extends Deed>(name: Name, body: NonNullable<CallInput<Name>['body']>, by: By): Promise<CallData[Name]> {
  try {
    return await act(name, { body }, by);
  } finally {
    readSoon(OWN);
  }
}

export const cancelContractOrders = (symbol: string | undefined, by: By): Promise<readonly string[]> =>
  change('cancelAllFuturesOrders', { ...(symbol !== undefined && { symbol }) }, by);
