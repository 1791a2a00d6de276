/** What becomes of something that must happen once: sent for its account under its id, kept while its answer is open, and dropped when it is known. */
import { accountChanged, isAccountChanged, isAuthFailure, isTooMany, isUnanswered } from '../client/failure.ts';
import { say } from '../../kit/i18n/text.tsx';
import { accountInView } from '../../kit/storage/account-in-view.ts';
import type { Account } from '../../kit/storage/account-in-view.ts';
import type { OpenIntent, OpenIntents } from '../../kit/storage/open-intents.ts';
import { showError } from '../../kit/ui/toast.ts';

export interface OncePorts<Body> {
  readonly intents: OpenIntents<Body>;
  /** Which of the open ones are meant here, such as those of one contract; all without it. */
  readonly isMine?: (body: Body) => boolean;
  readonly newId: () => string;
  /** Sends it for its account, under its id; the exchange does it once. */
  readonly send: (intent: OpenIntent<Body>) => Promise<void>;
  /** Whether the exchange has it. Rejects when it cannot be reached. */
  readonly find: (intent: OpenIntent<Body>) => Promise<boolean>;
  /** It has happened, and its account is in view. */
  readonly onDone: (body: Body, id: string) => void;
  /** Calls `look` when an answer may have come by another way than the call. @returns ends it. */
  readonly onNews?: (look: () => void) => () => void;
}

/** Rejects, says so, and keeps nothing, when its account is not in view any more. */
export async function submitOnce<Body>(ports: OncePorts<Body>, account: Account, body: Body): Promise<void> {
  if (account !== accountInView()) {
    showError(say('ui.accountChanged'));
    throw accountChanged();
  }
  const intent = { account, id: ports.newId(), body };
  ports.intents.keep(intent);
  await send(ports, intent, () => false);
}

/** Sends one again whose answer is open: a refusal of this try alone leaves it so. */
export const attempt = <Body>(ports: OncePorts<Body>, intent: OpenIntent<Body>): Promise<void> =>
  send(ports, intent, (error) => isAuthFailure(error) || isTooMany(error));

/** @param isOfTryAlone whether a refusal says nothing of the tries before */
async function send<Body>(ports: OncePorts<Body>, intent: OpenIntent<Body>, isOfTryAlone: (error: unknown) => boolean): Promise<void> {
  const { intents } = ports;
  intents.setSending(intent.id, true);
  try {
    await ports.send(intent);
    settle(ports, intent);
  } catch (error) {
    if (isUnanswered(error)) return;
    // A try before this one may have arrived, and only its own account can say.
    if (!isAccountChanged(error) && !isOfTryAlone(error)) intents.drop(intent.id);
    throw error;
  } finally {
    intents.setSending(intent.id, false);
  }
}

/** It has happened. Found and answered at the same time, or when the person waits no longer, it is said once at most. */
export function settle<Body>({ intents, onDone }: OncePorts<Body>, { account, id, body }: OpenIntent<Body>): void {
  if (!intents.of(account).some((open) => open.id === id)) return;
  intents.drop(id);
  if (accountInView() === account) onDone(body, id);
}
