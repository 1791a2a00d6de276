/** The small production of `npm run cluster`, as a person starts it, and the faults that it offers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ENDS_WITH_PARENT } from '../../../exchange/e2e/program.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { freePort } from '../../../exchange/src/testing/free-port.ts';
import type { Fault } from '../../../tools/cluster/faults.ts';
import { PROMETHEUS_PORT } from '../../../tools/cluster/prometheus.ts';
import { ended } from './ended.ts';

const CLUSTER = fileURLToPath(new URL('../../../tools/cluster.ts', import.meta.url));
/** Three PostgreSQL servers are made, the contracts deployed, and both gateways folded. */
const READY_MS = 300_000;
/** What Prometheus asks, and whether it was answered. */
const TARGETS = `http://127.0.0.1:${PROMETHEUS_PORT}/api/v1/targets?state=active`;
/** Nineteen programs end, kind after kind; each has 20 s. */
const STOPPED_MS = 240_000;
const PROBE_MS = 2_000;
const LAST_LINES = 40;

export class SmallProduction {
  /** Of the gateways, by the balancer. */
  readonly url: string;
  /** What it printed last. */
  readonly lines: string[] = [];
  readonly #directory: string;
  readonly #child: ChildProcess;

  private constructor(parts: { directory: string; port: number; child: ChildProcess & { readonly stderr: Readable } }) {
    this.url = `http://127.0.0.1:${parts.port}`;
    this.#directory = parts.directory;
    this.#child = parts.child;
    createInterface({ input: parts.child.stderr }).on('line', (line) => {
      this.lines.push(line);
      this.lines.splice(0, this.lines.length - LAST_LINES);
    });
  }

  /** @throws Error when it is not ready within `READY_MS` */
  static async start(folder: string): Promise<SmallProduction> {
    const directory = join(folder, 'cluster');
    const port = await freePort();
    const words = [...ENDS_WITH_PARENT, CLUSTER, '--data', directory, '--port', String(port)];
    // Of its own group: what a terminal sends to this process ends it by `close`, or with this process.
    const child = spawn(process.execPath, words, { stdio: ['pipe', 'inherit', 'pipe'], detached: true });
    const production = new SmallProduction({ directory, port, child });
    try {
      await production.#ready();
    } catch (error) {
      await production.close();
      throw new Error(`the cluster is not ready: ${production.lines.join(' | ')}`, { cause: error });
    }
    return production;
  }

  /**
   * Until everything works again, or forty seconds later.
   * @param onFault hears when it is caused, by the monotonic clock
   * @returns what was seen of it from outside
   */
  async cause(fault: Fault, onFault: (moment: number) => void): Promise<readonly string[]> {
    const words = [CLUSTER, 'kill', fault, '--data', this.#directory];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      if (lines.length === 0) onFault(performance.now());
      lines.push(line);
    }
    return lines;
  }

  /** Whether every program that Prometheus asks answers there. */
  async isWhole(): Promise<boolean> {
    const answer = await fetch(TARGETS, { signal: AbortSignal.timeout(PROBE_MS) }).catch(() => undefined);
    if (answer?.ok !== true) return false;
    const { data } = (await answer.json()) as { readonly data: { readonly activeTargets: readonly { readonly health: string }[] } };
    return data.activeTargets.length > 0 && data.activeTargets.every(({ health }) => health === 'up');
  }

  /** As Ctrl-C does. */
  async close(): Promise<void> {
    await ended(this.#child, 'SIGINT', STOPPED_MS);
  }

  #ready(): Promise<string> {
    return until(
      'the cluster is ready',
      async () => {
        if (this.#child.exitCode !== null || this.#child.signalCode !== null) throw new Error('the cluster has ended');
        const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) }).catch(() => undefined);
        if (answer?.ok !== true) return false;
        const text = await answer.text();
        return text.includes('journal: ready') && text;
      },
      { withinMs: READY_MS },
    );
  }
}
