/**
 * Something that must happen once, such as a transfer: it is sent under an id made once, kept until it is answered, and found again by that
 * id when the answer was lost, the dialog closed or the page loaded again.
 */
import { useEffect, useRef, useState } from 'react';
import { isUnanswered } from '../client/failure.ts';
import type { OpenIntent, OpenIntents } from '../storage/open-intents.ts';
import { useSession } from './session.ts';

export interface OncePorts<Body> {
  readonly intents: OpenIntents<Body>;
  readonly newId: () => string;
  /** Sends it under its id; the exchange does it once. */
  readonly send: (intent: OpenIntent<Body>) => Promise<void>;
  /** Whether the exchange has it. Rejects when it cannot be reached. */
  readonly find: (intent: OpenIntent<Body>) => Promise<boolean>;
  /** It has happened. */
  readonly onDone: (body: Body) => void;
}

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

export function useOnce<Body>(ports: OncePorts<Body>): Once<Body> {
  const account = useSession(({ phase, signedIn }) => (phase === 'signedIn' ? signedIn?.accountId : undefined));
  const { intents } = ports;
  const [open, setOpen] = useState(() => (account === undefined ? undefined : intents.of(account).at(-1)));
  const [phase, setPhase] = useState<Once<Body>['phase']>(open === undefined ? 'idle' : 'unanswered');
  const latest = useRef(ports);
  useEffect(() => {
    latest.current = ports;
  });

  const settle = (intent: OpenIntent<Body>, outcome: 'done' | 'refused'): void => {
    intents.drop(intent.id);
    setOpen(undefined);
    setPhase('idle');
    if (outcome === 'done') latest.current.onDone(intent.body);
  };

  const attempt = async (intent: OpenIntent<Body>): Promise<void> => {
    setOpen(intent);
    setPhase('sending');
    try {
      await ports.send(intent);
    } catch (error) {
      if (isUnanswered(error)) return setPhase('unanswered');
      settle(intent, 'refused');
      throw error;
    }
    settle(intent, 'done');
  };

  useEffect(() => {
    if (open === undefined || phase !== 'unanswered') return undefined;
    let isGone = false;
    const look = (): void => {
      latest.current.find(open).then(
        (isFound) => {
          if (!isFound || isGone) return;
          intents.drop(open.id);
          setOpen(undefined);
          setPhase('idle');
          latest.current.onDone(open.body);
        },
        // Looked for again at the next beat.
        () => undefined,
      );
    };
    look();
    const timer = setInterval(look, LOOK_EVERY_MS);
    return () => {
      isGone = true;
      clearInterval(timer);
    };
  }, [open, phase, intents]);

  return {
    phase,
    open: open?.body,
    async submit(body) {
      if (account === undefined || phase !== 'idle') return;
      const intent = { account, id: ports.newId(), body };
      intents.keep(intent);
      await attempt(intent);
    },
    repeat: async () => (open === undefined || phase !== 'unanswered' ? undefined : attempt(open)),
    drop() {
      if (open === undefined || phase !== 'unanswered') return;
      settle(open, 'refused');
    },
  };
}
