/** Reads from the exchange for a component, and keeps them by account: what one is shown is nobody else's. */
import type { CallData } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import type { Query } from '@tanstack/react-query';
import { useSession } from '../session/session.ts';
import type { CallInput, ReadName } from '../client/http.ts';
import { queryClient } from '../client/query-client.ts';
import { ask } from './calls.ts';
import { loadedOf } from '../../kit/ui/loaded.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';

type Answer<Name extends ReadName> = CallData[Name];

interface Pace<Value> {
  /** Read again after this time, or as what is known says; without it, when it is shown again. */
  readonly pollMs?: number | ((value: Value | undefined) => number | undefined);
  /** What is younger is not read again. */
  readonly staleMs?: number;
  /** False while it is not needed. */
  readonly when?: boolean;
  /** 'never': the next poll is soon enough. */
  readonly retry?: 'never';
}

interface Owned {
  /** Whose it is. What is an account's is not asked for without one; what is everybody's is asked without a token. */
  readonly of: 'everybody' | 'account';
}

export interface Reading<Value> extends Pace<Value>, Owned {
  /** Its name first, by which `refresh` finds it; then all that makes it another reading. */
  readonly key: readonly [name: string, ...rest: readonly unknown[]];
  readonly load: () => Promise<Value>;
}

export type Question<Name extends ReadName> = Pace<Answer<Name>> &
  Owned & {
    readonly name: Name;
    readonly input?: Omit<CallInput<Name>, 'ignoreToken'>;
  };

/** One route of the exchange. */
export function useData<Name extends ReadName>(question: Question<Name>): Loaded<Answer<Name>> {
  const { name, input = {}, of, ...pace } = question;
  const load = (): Promise<Answer<Name>> => ask(name, { ...input, ...(of === 'everybody' && { ignoreToken: true as const }) });
  return useReading({ ...pace, of, key: [name, input], load });
}

/** What a call answered is what the next reading of it would bring. */
export function learned<Name extends ReadName>(
  { name, input = {}, of, accountId }: Pick<Question<Name>, 'name' | 'input' | 'of'> & { readonly accountId?: string },
  answer: Answer<Name>,
): void {
  queryClient.setQueryData(keyOf([name, input], of, accountId), answer);
}

/** What is made of several routes, or of what the wallet knows. */
export function useReading<Value>({ key, load, of, pollMs, staleMs, when = true, retry }: Reading<Value>): Loaded<Value> {
  const accountId = useSession((state) => state.signedIn?.accountId);
  const isAsked = when && (of === 'everybody' || accountId !== undefined);
  const query = useQuery<Value>({
    queryKey: keyOf(key, of, accountId),
    queryFn: load,
    enabled: isAsked,
    ...(pollMs !== undefined && {
      refetchInterval: typeof pollMs === 'number' ? pollMs : (read: Query<Value>) => pollMs(read.state.data) ?? false,
    }),
    ...(staleMs !== undefined && { staleTime: staleMs }),
    ...(retry === 'never' && { retry: false }),
  });
  return loadedOf<Value>(query, { isAsked, retry: () => void query.refetch() });
}

/** What is everybody's, for what is no component: as it was read last, else read now. */
export const readOnce = <Value>({
  key,
  load,
  staleMs = 0,
}: Pick<Reading<Value>, 'key' | 'load' | 'staleMs'> & { readonly of: 'everybody' }): Promise<Value> =>
  queryClient.fetchQuery({ queryKey: key, queryFn: load, staleTime: staleMs });

const keyOf = (key: readonly unknown[], of: Owned['of'], accountId: string | undefined): readonly unknown[] =>
  of === 'everybody' ? key : [...key, accountId];
