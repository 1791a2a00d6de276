/**
 * What was sent and is not answered yet, kept for this tab: a page that is loaded again, or a dialog that is opened again, asks for the
 * answer under the same id instead of sending another. Names and amounts only, no signature.
 */
import { accountOf } from './account-in-view.ts';
import type { Account } from './account-in-view.ts';
import { stored } from './stored.ts';
import type { KeyValueStore } from './stored.ts';

export interface OpenIntent<Body> {
  /** Of the account it was sent for. */
  readonly account: Account;
  /** By which the exchange knows it again. */
  readonly id: string;
  readonly body: Body;
}

export interface OpenIntents<Body> {
  /** Oldest first. */
  readonly of: (account: Account) => readonly OpenIntent<Body>[];
  readonly keep: (intent: OpenIntent<Body>) => void;
  readonly drop: (id: string) => void;
  /** Whether it is on its way, from this page. */
  readonly isSending: (id: string) => boolean;
  readonly setSending: (id: string, isSending: boolean) => void;
  /** @returns ends it. */
  readonly onChange: (listener: () => void) => () => void;
}

/** More than a person has under way; the oldest give way. */
const MOST = 50;

export interface OpenIntentsOptions<Body> {
  readonly name: string;
  /** `undefined` when the parsed JSON is not a body of this kind. */
  readonly parse: (json: unknown) => Body | undefined;
}

function tabStore(): KeyValueStore | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    // Storage may be forbidden by the browser's settings: then a reload forgets what was under way.
    return undefined;
  }
}

export function openIntents<Body>({ name, parse }: OpenIntentsOptions<Body>, store = tabStore): OpenIntents<Body> {
  const parseAll = (json: unknown): readonly OpenIntent<Body>[] | undefined =>
    Array.isArray(json) ? json.flatMap((entry: unknown) => parseIntent(entry, parse) ?? []) : undefined;
  const kept = stored<readonly OpenIntent<Body>[]>({ name, version: 1, fallback: [], parse: parseAll }, store);
  const listeners = new Set<() => void>();
  const sending = new Set<string>();
  // The tab is this page's alone: it is read once.
  let open: readonly OpenIntent<Body>[] | undefined;
  const all = (): readonly OpenIntent<Body>[] => (open ??= kept.read());
  const others = (id: string): readonly OpenIntent<Body>[] => all().filter((intent) => intent.id !== id);
  const changed = (): void => {
    for (const listener of listeners) listener();
  };
  const write = (next: readonly OpenIntent<Body>[]): void => {
    open = next;
    kept.write(next);
    changed();
  };
  return {
    of: (account) => all().filter((intent) => intent.account === account),
    keep: (intent) => write([...others(intent.id), intent].slice(-MOST)),
    drop: (id) => write(others(id)),
    isSending: (id) => sending.has(id),
    setSending(id, isSending) {
      if (isSending) sending.add(id);
      else sending.delete(id);
      changed();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function parseIntent<Body>(json: unknown, parse: (body: unknown) => Body | undefined): OpenIntent<Body> | undefined {
  if (typeof json !== 'object' || json === null || !('account' in json) || !('id' in json) || !('body' in json)) return undefined;
  const { account, id } = json;
  const body = parse(json.body);
  return typeof account === 'string' && typeof id === 'string' && body !== undefined
    ? { account: accountOf(account), id, body }
    : undefined;
}
