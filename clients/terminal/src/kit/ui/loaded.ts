/** What is known of something that is read: every table, panel and figure takes it in this shape, so that no failure is dropped on the way. */
export type Loaded<Value> = Unknown | Known<Value>;

interface Retried {
  readonly retry: () => void;
}

interface Unknown extends Retried {
  /** `idle`: it is not asked for, such as an account's things for a visitor. `failed`: it was asked for, and nothing is known. */
  readonly phase: 'idle' | 'loading' | 'failed';
  readonly value: undefined;
  /** Why it failed. */
  readonly error: unknown;
}

interface Known<Value> extends Retried {
  /** `stale`: it could not be read again, so what is shown is as old as `since` says. */
  readonly phase: 'fresh' | 'stale';
  readonly value: Value;
  /** When it was read, unix milliseconds; `undefined` while it is fresh, and where nobody knows. */
  readonly since: number | undefined;
}

/** The result of a query, as far as it matters here. */
export interface QueryState<Value> {
  readonly data: Value | undefined;
  readonly isError: boolean;
  /** It waits until the exchange can be reached. */
  readonly isPaused: boolean;
  readonly error: unknown;
  readonly dataUpdatedAt: number;
}

export interface Reader {
  readonly isAsked: boolean;
  readonly retry: () => void;
}

/** Reads the time of a state only when it is stale: a component that looks at no time need not render with each reading. */
export function loadedOf<Value>(state: QueryState<Value>, { isAsked, retry }: Reader): Loaded<Value> {
  const { data: value, isError, isPaused } = state;
  if (value !== undefined) {
    const isStale = isError || isPaused;
    // What stands in the place of a page that is on its way was not read for it: the time of that is 0.
    const since = isStale && state.dataUpdatedAt > 0 ? state.dataUpdatedAt : undefined;
    return { phase: isStale ? 'stale' : 'fresh', value, since, retry };
  }
  if (isError) return { phase: 'failed', value: undefined, error: state.error, retry };
  return { phase: isAsked ? 'loading' : 'idle', value: undefined, error: undefined, retry };
}

/** The same reading, of something made of its value. */
export function mapped<Value, Made>(read: Loaded<Value>, make: (value: Value) => Made): Loaded<Made> {
  return read.value === undefined ? (read as Unknown) : { ...(read as Known<Value>), value: make(read.value) };
}

const nothingToDo = (): void => undefined;

/** What needs no reading, in the shape of what was read. */
export const known = <Value>(value: Value): Loaded<Value> => ({ phase: 'fresh', value, since: undefined, retry: nothingToDo });

/** Two readings of which neither is of use without the other: failed where one is, stale since the older one. */
export function together<One, Other>(one: Loaded<One>, other: Loaded<Other>): Loaded<readonly [One, Other]> {
  const retry = (): void => {
    one.retry();
    other.retry();
  };
  if (one.value === undefined || other.value === undefined) {
    const unknown = [one, other].filter((read) => read.value === undefined) as readonly Unknown[];
    return { ...((unknown.find(({ phase }) => phase === 'failed') ?? unknown[0]) as Unknown), retry };
  }
  const stale = [one, other].filter(({ phase }) => phase === 'stale') as readonly Known<unknown>[];
  const times = stale.flatMap(({ since }) => since ?? []);
  const value = [one.value, other.value] as const;
  return stale.length === 0
    ? { phase: 'fresh', value, since: undefined, retry }
    : { phase: 'stale', value, since: times.length === 0 ? undefined : Math.min(...times), retry };
}
