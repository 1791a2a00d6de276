/** A NATS server of Debian's package, for a test or an experiment. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const PROGRAM = process.env['ORRERY_NATS_SERVER'] ?? 'nats-server';
const POLL_MS = 20;
const PATIENCE_MS = 10_000;

export const hasNats = (): boolean => spawnSync(PROGRAM, ['--version'], { stdio: 'ignore' }).error === undefined;

export class NatsServer {
  readonly port: number;
  #child: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<NatsServer> {
    const server = new NatsServer(await freePort());
    await server.start();
    return server;
  }

  /** At the port that it had. */
  async start(): Promise<void> {
    this.#child = spawn(PROGRAM, ['-a', '127.0.0.1', '-p', String(this.port)], { stdio: 'ignore' });
    for (const until = performance.now() + PATIENCE_MS; performance.now() < until; await pause(POLL_MS)) if (await this.#answers()) return;
    throw new Error('the NATS server does not answer');
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  #answers(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1');
      socket.once('data', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => resolve(false));
    });
  }
}
