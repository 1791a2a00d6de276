/**
 * One remembered value: its name in local storage, its version and how to read it back.
 * What was written by another version, by hand or by nobody is read as the fallback, never as a half-understood value.
 */
export interface Stored<Value> {
  readonly name: string;
  readonly read: () => Value;
  readonly write: (value: Value) => void;
  readonly clear: () => void;
}

export interface StoredOptions<Value> {
  readonly name: string;
  readonly version: number;
  readonly fallback: Value;
  /** `undefined` when the parsed JSON is not a value of this kind. */
  readonly parse: (json: unknown) => Value | undefined;
}

/** The part of `Storage` that is used, so that a test can bring its own. */
export type KeyValueStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'orrery.';

function browserStore(): KeyValueStore | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    // Storage may be forbidden by the browser's settings: then nothing is remembered, and everything still works.
    return undefined;
  }
}

function readVersioned<Value>(text: string | null | undefined, options: StoredOptions<Value>): Value {
  if (text === null || text === undefined) return options.fallback;
  try {
    const envelope: unknown = JSON.parse(text);
    if (typeof envelope !== 'object' || envelope === null) return options.fallback;
    if (!('v' in envelope) || envelope.v !== options.version || !('value' in envelope)) return options.fallback;
    return options.parse(envelope.value) ?? options.fallback;
  } catch {
    return options.fallback;
  }
}

export function stored<Value>(options: StoredOptions<Value>, store: () => KeyValueStore | undefined = browserStore): Stored<Value> {
  const name = PREFIX + options.name;
  return {
    name,
    read: () => readVersioned(store()?.getItem(name), options),
    write(value) {
      try {
        store()?.setItem(name, JSON.stringify({ v: options.version, value }));
      } catch {
        // A full or forbidden storage costs the memory of this value only.
      }
    },
    clear: () => store()?.removeItem(name),
  };
}
