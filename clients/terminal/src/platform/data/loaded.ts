/** What is known of something that is read from the exchange. */
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
  /** When it was read, unix milliseconds; `undefined` while it is fresh. */
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
    return { phase: isStale ? 'stale' : 'fresh', value, since: isStale ? state.dataUpdatedAt : undefined, retry };
  }
  if (isError) return { phase: 'failed', value: undefined, error: state.error, retry };
  return { phase: isAsked ? 'loading' : 'idle', value: undefined, error: undefined, retry };
}

/** The same reading, of something made of its value. */
export function mapped<Value, Made>(read: Loaded<Value>, make: (value: Value) => Made): Loaded<Made> {
  return read.value === undefined ? (read as Unknown) : { ...(read as Known<Value>), value: make(read.value) };
}
