/** Trouble for testers, between the network and the feed: a connection that drops, messages that are late or missing. */
import type { OpenSocket } from '@orrery/sdk';
import type { Chaos } from './messages.ts';

type Socket = ReturnType<OpenSocket>;

const isChange = (data: unknown): boolean =>
  typeof data === 'string' && (data.includes('"qDepth"') || (data.includes('"depth_update"') && !data.includes('"whole":true')));

export class ChaosSwitch {
  /** Those that are open: one of spot, one of contracts. */
  readonly #sockets = new Set<Socket>();
  #skips = 0;
  #delayMs = 0;

  readonly open: OpenSocket = (url) => {
    const socket = new WebSocket(url);
    this.#sockets.add(socket);
    socket.addEventListener('close', () => this.#sockets.delete(socket));
    // Before every other listener: what is stopped here is heard by none of them.
    socket.addEventListener('message', (event) => this.#disturb(socket, event));
    return socket;
  };

  apply(chaos: Chaos): void {
    switch (chaos.trouble) {
      case 'drop':
        for (const socket of this.#sockets) socket.close();
        return;
      case 'skip':
        this.#skips += 1;
        return;
      case 'delay':
        this.#delayMs = chaos.millis;
    }
  }

  #disturb(socket: WebSocket, event: MessageEvent<unknown>): void {
    // A message that was delayed is sent on by us, and not delayed again.
    if (!event.isTrusted) return;
    if (this.#skips > 0 && isChange(event.data)) {
      this.#skips -= 1;
      event.stopImmediatePropagation();
    } else if (this.#delayMs > 0) {
      event.stopImmediatePropagation();
      setTimeout(() => socket.dispatchEvent(new MessageEvent('message', { data: event.data })), this.#delayMs);
    }
  }
}
