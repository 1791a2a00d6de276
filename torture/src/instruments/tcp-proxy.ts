/** A wire between two programs that can be cut, slowed and broken in the middle of a message. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, createServer, type AddressInfo, type NetConnectOpts, type Server, type Socket } from 'node:net';

/** What happens on the wire. */
export type WireFault =
  | { readonly kind: 'none' }
  /** Delays each piece by this time, in order. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Nothing passes, nothing is closed. */
  | { readonly kind: 'silent' }
  /** This number of bytes of each connection passes, then both its ends are closed. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** Refuses every connection. */
  | { readonly kind: 'closed' };

const WELL: WireFault = { kind: 'none' };

export class TcpProxy {
  readonly port: number;
  readonly #server: Server;
  readonly #target: NetConnectOpts;
  readonly #open = new Set<Socket>();
  #fault: WireFault = WELL;
  /** Connections that were broken. */
  broken = 0;

  private constructor(server: Server, target: NetConnectOpts) {
    this.#server = server;
    this.#target = target;
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (client) => this.#join(client));
  }

  static async open(target: NetConnectOpts): Promise<TcpProxy> {
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new TcpProxy(server, target);
  }

  setFault(fault: WireFault): void {
    const wasSilent = this.#fault.kind === 'silent';
    this.#fault = fault;
    // The dropped bytes are lost: no side may continue as if they had arrived.
    if (fault.kind === 'closed' || wasSilent) this.#breakAll();
  }

  heal(): void {
    this.setFault(WELL);
  }

  async close(): Promise<void> {
    this.#breakAll();
    this.#server.close();
    await once(this.#server, 'close');
  }

  #breakAll(): void {
    for (const socket of this.#open) {
      socket.destroy();
      this.broken += 1;
    }
    this.#open.clear();
  }

  #join(client: Socket): void {
    if (this.#fault.kind === 'closed') {
      client.destroy();
      return;
    }
    const target = connect(this.#target);
    const budget: Budget = { fault: WELL, left: 0 };
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      const lane: Lane = { from, to, budget, last: Promise.resolve() };
      this.#open.add(from);
      from.on('data', (piece) => this.#pass(piece, lane));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#open.delete(from);
        void lane.last.then(() => to.destroySoon());
      });
    }
    client.resume();
  }

  #pass(piece: Buffer, lane: Lane): void {
    const fault = this.#fault;
    if (fault.kind === 'silent' || fault.kind === 'closed') return;
    if (fault.kind === 'cut') return this.#passAndCut(piece, lane, fault);
    const due = performance.now() + (fault.kind === 'slow' ? fault.delayMs : 0);
    // What is slow is not overtaken by what is quick.
    lane.last = lane.last.then(async () => {
      const rest = due - performance.now();
      if (rest > 0) await pause(rest);
      lane.to.write(piece);
    });
  }

  #passAndCut(piece: Buffer, { from, to, budget, last }: Lane, fault: Extract<WireFault, { kind: 'cut' }>): void {
    if (budget.fault !== fault) Object.assign(budget, { fault, left: fault.afterBytes });
    const passed = piece.subarray(0, budget.left);
    budget.left -= passed.length;
    void last.then(() => to.write(passed));
    if (budget.left > 0) return;
    void last.then(() => to.destroySoon());
    from.destroy();
    this.broken += 1;
  }
}

/** What a connection may still pass under the present fault. */
interface Budget {
  fault: WireFault;
  left: number;
}

/** One direction of a connection. */
interface Lane {
  readonly from: Socket;
  readonly to: Socket;
  readonly budget: Budget;
  last: Promise<void>;
}
