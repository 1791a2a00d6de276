/** A client's side of a call: sent again under the same name until it is answered for good, or until the client gives up not knowing. */
import type { Answer, Call } from '../door.ts';
import type { Net } from '../net.ts';
import { isTemporary } from '../oracle/repeats.ts';
import type { Timeline } from '../timeline.ts';

export type Outcome =
  | { readonly kind: 'ok'; readonly data: unknown; readonly seq: number | undefined; readonly arrivals: number }
  /** `arrivals`: how often the call had reached the exchange by then. */
  | { readonly kind: 'refused'; readonly reason: string; readonly field: string; readonly arrivals: number }
  | { readonly kind: 'unknown'; readonly arrivals: number };

export interface Patience {
  readonly deadlineMs: number;
  readonly retryMs: number;
}

export interface RemoteParts {
  readonly client: string;
  readonly net: Net;
  readonly timeline: Timeline;
  readonly onViolation: (error: unknown) => void;
  /** The exchange; undefined while nobody listens there. Never resolves when the program dies over it. */
  readonly serve: (call: Call) => Promise<Answer> | undefined;
}

export class Remote {
  readonly #parts: RemoteParts;

  constructor(parts: RemoteParts) {
    this.#parts = parts;
  }

  call(call: Call, { deadlineMs, retryMs }: Patience): Promise<Outcome> {
    const { client, net, timeline, serve, onViolation } = this.#parts;
    return new Promise((resolve) => {
      let isOver = false;
      let arrivals = 0;
      const end = (outcome: Outcome): void => {
        isOver = true;
        resolve(outcome);
      };
      const receive = (answer: Answer): void => {
        if (isOver || isTemporary(answer)) return;
        end({ ...answer, arrivals });
      };
      const arrive = (): void => {
        const answering = serve(call);
        if (answering === undefined) return;
        arrivals += 1;
        answering.then((answer) => net.send({ client, sender: `exchange to ${client}` }, () => receive(answer)), onViolation);
      };
      const attempt = (): void => {
        if (isOver) return;
        net.send({ client, sender: client }, arrive);
        timeline.after(retryMs, attempt);
      };
      attempt();
      timeline.after(deadlineMs, () => {
        if (!isOver) end({ kind: 'unknown', arrivals });
      });
    });
  }
}
