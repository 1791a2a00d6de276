/**
 * Something that must happen once, such as a transfer: it is sent under an id made once, for the account in view, kept until it is answered, and found
 * again by that id when the answer was lost, the dialog closed or the page loaded again. What is open belongs to its account: it is offered while that
 * one is in view, and never sent or looked for by the session of another.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Account } from '../../kit/storage/account-in-view.ts';
import type { OpenIntent } from '../../kit/storage/open-intents.ts';
import { attempt, settle, submitOnce } from './once.ts';
import type { OncePorts } from './once.ts';
import { useAccountInView } from './session.ts';

export interface Once<Body> {
  readonly phase: 'idle' | 'sending' | 'unanswered';
  /** What is on its way, or without an answer. */
  readonly open: Body | undefined;
  /** Rejects with what the exchange, or the wallet, said; silence leaves it unanswered. */
  readonly submit: (body: Body) => Promise<void>;
  /** The same once more, under the same id. */
  readonly repeat: () => Promise<void>;
  /** The person no longer waits for the answer. */
  readonly drop: () => void;
}

const LOOK_EVERY_MS = 3_000;
const ANY = (): boolean => true;

/** The newest that is open here. */
function openOf<Body>({ intents, isMine = ANY }: OncePorts<Body>, account: Account | undefined): OpenIntent<Body> | undefined {
  return account === undefined ? undefined : intents.of(account).findLast(({ body }) => isMine(body));
}

export function useOnce<Body>(ports: OncePorts<Body>): Once<Body> {
  const account = useAccountInView();
  const { intents } = ports;
  const open = useSyncExternalStore(intents.onChange, () => openOf(ports, account));
  const isSending = useSyncExternalStore(intents.onChange, () => open !== undefined && intents.isSending(open.id));
  const phase = open === undefined ? 'idle' : isSending ? 'sending' : 'unanswered';
  const latest = useRef(ports);
  useEffect(() => {
    latest.current = ports;
  });

  useEffect(() => {
    if (open === undefined || phase !== 'unanswered') return undefined;
    const look = (): void => {
      // Not reached: looked for again at the next beat.
      latest.current.find(open).then(
        (isFound) => {
          if (isFound) settle(latest.current, open);
        },
        () => undefined,
      );
    };
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    const stop = latest.current.onNews?.(look);
    return () => {
      clearInterval(timer);
      stop?.();
    };
  }, [open, phase]);

  return {
    phase,
    open: open?.body,
    // Both look at what is open now, not when it was rendered: a second press may come before the next render, or after a question.
    async submit(body) {
      if (account === undefined || openOf(latest.current, account) !== undefined) return;
      await submitOnce(latest.current, account, body);
    },
    async repeat() {
      if (open === undefined || open !== openOf(latest.current, account) || intents.isSending(open.id)) return;
      await attempt(latest.current, open);
    },
    drop() {
      if (open !== undefined && phase === 'unanswered') intents.drop(open.id);
    },
  };
}
