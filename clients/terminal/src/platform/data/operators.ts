/** The calls of operators: by the cookie of their own session, never with a trader's token. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { operatorContract } from '@orrery/api';
import type { CallData, OperatorSession } from '@orrery/api';
import { reach } from '../client/exchange-reach.ts';
import { createHttp } from '../client/http.ts';
import { dated, serverClock } from '../client/server-clock.ts';
import type { Http } from '../client/http.ts';
import { queryClient } from '../client/query-client.ts';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import { loadedOf, mapped } from '../../kit/ui/loaded.ts';
import type { Loaded, QueryState } from '../../kit/ui/loaded.ts';
import type { PageOf } from '../../kit/ui/paged-table.tsx';
import type { Page } from '../../kit/ui/pager.tsx';
import { showError, showSuccess } from '../../kit/ui/toast.ts';

const CONSOLE = 'console';
const PROPOSALS_MS = 5_000;
const ME = [CONSOLE, 'me'] as const;

export const consoleHttp: Http = createHttp({
  calls: operatorContract,
  baseUrl: location.origin,
  fetch: dated((input, init) => fetch(input, init), serverClock, Date.now),
  token: () => Promise.resolve(undefined),
  accountInView: () => undefined,
  language: () => useSettings.getState().language,
  onAuthExpired: () => void queryClient.invalidateQueries({ queryKey: ME }),
  onError: showError,
  onEnd: (end) => reach.ended(end),
});

/** Who is signed in here: null when nobody is, undefined while it is asked. */
export function useOperator(): OperatorSession | null | undefined {
  return useQuery({ queryKey: ME, queryFn: askWho, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false }).data;
}

async function askWho(): Promise<OperatorSession | null> {
  const { status, data } = await consoleHttp.raw('operatorMe');
  return status === 200 ? (data as OperatorSession) : null;
}

/** Somebody came, or went: nothing of what was shown to the one before stays. */
export function setOperator(operator: OperatorSession | null): void {
  queryClient.removeQueries({ queryKey: [CONSOLE], predicate: ({ queryKey }) => queryKey[1] !== ME[1] });
  queryClient.setQueryData(ME, operator);
}

/** After a sign-in: answers that are on their way were meant for nobody. */
export function enterAs(operator: OperatorSession): void {
  void queryClient.cancelQueries();
  setOperator(operator);
}

type ListName =
  | 'waitingList'
  | 'blockedAddresses'
  | 'deskNotices'
  | 'proposals'
  | 'auditLog'
  | 'luckyDecisions'
  | 'deskCampaigns'
  | 'suspiciousClusters'
  | 'suspiciousPairs'
  | 'commonFunders'
  | 'fundDealings'
  | 'appeals'
  | 'identities'
  | 'waitingWithdrawals'
  | 'lostDeposits'
  | 'otcApplications'
  | 'alarms';

const POLLED: ReadonlySet<ListName> = new Set<ListName>(['proposals', 'alarms', 'waitingWithdrawals', 'lostDeposits', 'otcApplications']);

type Query<Data> = QueryState<Data> & { readonly isPlaceholderData: boolean; readonly refetch: () => unknown };

const readOf = <Data>(query: Query<Data>, isAsked = true): Loaded<Data> =>
  loadedOf<Data>(query, { isAsked, retry: () => void query.refetch() });

/** A page of a list, or the page before while it is on its way. */
export interface ListRead<Data> {
  readonly read: Loaded<Data>;
  readonly updating: boolean;
}

const listOf = <Data>(query: Query<Data>): ListRead<Data> => ({ read: readOf(query), updating: query.isPlaceholderData });

/** One page of a list. */
export function useList<Name extends ListName>(name: Name, page: Page): ListRead<CallData[Name]> {
  const query = useQuery<CallData[Name]>({
    queryKey: [CONSOLE, name, page],
    queryFn: () => consoleHttp.load(name, { query: page }),
    staleTime: 0,
    placeholderData: keepPreviousData,
    // Others decide about them, and so does the clock.
    refetchInterval: POLLED.has(name) ? PROPOSALS_MS : false,
  });
  return listOf(query);
}

interface Turning {
  readonly page: Page;
  readonly onChange: (page: Page) => void;
}

/** The page of a list for a table. */
export function pageOf<Row>(
  { read, updating }: ListRead<{ readonly list: readonly Row[]; readonly total: number }>,
  { page, onChange }: Turning,
): PageOf<Row> {
  return { read: mapped(read, ({ list }) => list), updating, pager: { ...page, total: read.value?.total, onChange } };
}

/** Proposals that wait for somebody or for their time, newest first. */
export function useOpenProposals(): Loaded<CallData['proposals']> {
  const query = useQuery({
    queryKey: [CONSOLE, 'proposals', 'OPEN'],
    queryFn: () => consoleHttp.load('proposals', { query: { state: 'OPEN', pageSize: 50 } }),
    staleTime: 0,
    refetchInterval: PROPOSALS_MS,
  });
  return readOf(query);
}

/** Awards of an address, once one is asked for. */
export function useAwardsOf(address: string | undefined, page: Page): ListRead<CallData['awardsOf']> {
  const isAsked = address !== undefined;
  const query = useQuery({
    queryKey: [CONSOLE, 'awardsOf', address, page],
    queryFn: () => consoleHttp.load('awardsOf', { query: { address: address ?? '', ...page } }),
    enabled: isAsked,
    staleTime: 0,
  });
  return { ...listOf(query), read: readOf(query, isAsked) };
}

/** What the two of a pair traded. */
export function usePairTrades(
  asked: { readonly campaignId: string; readonly winner: number; readonly loser: number } & Page,
): ListRead<CallData['pairTrades']> {
  const query = useQuery({
    queryKey: [CONSOLE, 'pairTrades', asked],
    queryFn: () => consoleHttp.load('pairTrades', { query: asked }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
  return listOf(query);
}

/** Disputes of OTC trading, those that are open or those that have ended. */
export function useOtcDisputes(state: 'OPEN' | 'ENDED', page: Page): ListRead<CallData['otcDisputes']> {
  const query = useQuery({
    queryKey: [CONSOLE, 'otcDisputes', state, page],
    queryFn: () => consoleHttp.load('otcDisputes', { query: { state, ...page } }),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: PROPOSALS_MS,
  });
  return listOf(query);
}

/** A dispute with what both sides show, once one is opened. Each reading is a row of the audit log: only an act reads it again. */
export function useOtcDispute(orderId: string | undefined): Loaded<CallData['otcDispute']> {
  const isAsked = orderId !== undefined;
  const query = useQuery({
    queryKey: [CONSOLE, 'otcDispute', orderId],
    queryFn: () => consoleHttp.load('otcDispute', { body: { orderId: orderId ?? '' } }),
    enabled: isAsked,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    // Its links are good for a minute.
    gcTime: 0,
  });
  return readOf(query, isAsked);
}

/** What is there as a whole. */
export function useWhole<Name extends 'operators' | 'budgets' | 'luckyAlarms' | 'deskTasks' | 'otcArbiter'>(
  name: Name,
): Loaded<CallData[Name]> {
  return readOf(useQuery<CallData[Name]>({ queryKey: [CONSOLE, name], queryFn: () => consoleHttp.load(name), staleTime: 0 }));
}

export interface Act {
  readonly busy: boolean;
  /** Does it, says so unless the work says so itself, and reads everything again. */
  readonly act: (work: () => Promise<unknown>, done?: MessageId) => void;
}

export function useAct(): Act {
  const { isPending, mutate } = useMutation({
    mutationFn: async ({ work, done }: { work: () => Promise<unknown>; done: MessageId | undefined }) => {
      await work();
      if (done !== undefined) showSuccess(done);
    },
    // A refusal may tell of a list that is out of date.
    onSettled: () => queryClient.invalidateQueries({ queryKey: [CONSOLE], predicate: ({ queryKey }) => queryKey[1] !== ME[1] }),
  });
  return { busy: isPending, act: (work, done) => mutate({ work, done }) };
}
