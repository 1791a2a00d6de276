/** Every change of the security of an account reaches its owner, by e-mail, or by text message where no e-mail address is bound. */
import type { AccountId } from '@orrery/units';
import type { Outbox } from '../mail/outbox.ts';
import { type EventPlace, eventLetter, type SecurityEvent } from './letters.ts';
import type { Names } from './names.ts';

export class Notices {
  readonly #names: Names;
  readonly #outbox: Outbox;
  readonly #now: () => number;

  constructor(parts: { names: Names; outbox: Outbox; now: () => number }) {
    this.#names = parts.names;
    this.#outbox = parts.outbox;
    this.#now = parts.now;
  }

  /** Without a name of the account, or a way to send, there is nothing to send. */
  notify(account: AccountId, event: SecurityEvent, place: EventPlace): void {
    const name = this.#names.nameOf(account, 'email') ?? this.#names.nameOf(account, 'phone');
    if (name === undefined || !this.#outbox.canSend(name.kind === 'email' ? 'email' : 'text')) return;
    this.#outbox.put(eventLetter(name, event, { at: this.#now(), place }));
  }
}
