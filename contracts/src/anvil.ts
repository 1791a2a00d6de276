/** Starts the local chain program, anvil, which npm brought along for this platform. Node only; no network. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

export interface Anvil {
  readonly pid: number;
  readonly url: string;
  /** Resolves when the process is gone, by whatever cause. */
  readonly exited: Promise<void>;
  kill(signal: NodeJS.Signals): void;
}

const PACKAGES: Readonly<Record<string, string>> = { x64: 'anvil-linux-amd64', arm64: 'anvil-linux-arm64' };
const START_DEADLINE_MS = 20_000;
const POLL_MS = 20;

export function anvilBinary(): string {
  const name = PACKAGES[process.arch];
  if (name === undefined || process.platform !== 'linux') {
    throw new Error(`there is no local chain for ${process.platform} on ${process.arch}: set an RPC address instead`);
  }
  return createRequire(import.meta.url).resolve(`@foundry-rs/${name}/bin/anvil`);
}

export interface AnvilOptions {
  readonly flags: readonly string[];
  /** Where it works; also the mark by which it is found again. */
  readonly directory: string;
}

/** Listens on a free loopback port. Detached: it outlives this process, Ctrl-C included, until somebody ends it. */
export async function startAnvil({ flags, directory }: AnvilOptions): Promise<Anvil> {
  const port = await freePort();
  const child = spawn(anvilBinary(), ['--host', '127.0.0.1', '--port', String(port), '--no-cors', ...flags], {
    cwd: directory,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { pid, complaint } = await spawned(child);
  child.unref();
  const exited = child.exitCode === null ? once(child, 'exit').then(() => undefined) : Promise.resolve();
  const url = `http://127.0.0.1:${port}`;
  await answering({ child, url, complaint });
  return {
    pid,
    url,
    exited,
    kill(signal) {
      // Who ends it waits for its end, with nothing else to live for perhaps.
      child.ref();
      child.kill(signal);
    },
  };
}

async function spawned(child: ChildProcess): Promise<{ pid: number; complaint: () => string }> {
  await once(child, 'spawn');
  if (child.pid === undefined) throw new Error('anvil has no process id');
  let text = '';
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-2000);
  });
  return { pid: child.pid, complaint: () => text.trim() };
}

async function answering(node: { child: ChildProcess; url: string; complaint: () => string }): Promise<void> {
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline) {
    if (node.child.exitCode !== null) throw new Error(`anvil did not start: ${node.complaint()}`);
    try {
      await anvilCall(node.url, 'eth_chainId', []);
      // Nobody reads it from here on; a pipe left open would keep this process alive.
      node.child.stderr?.destroy();
      return;
    } catch {
      await delay(POLL_MS);
    }
  }
  node.child.kill('SIGKILL');
  throw new Error(`anvil did not answer within ${START_DEADLINE_MS} ms`);
}

/** What anvil itself answers in place of a result. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  constructor(error: { code: number; message: string; data?: unknown }) {
    super(error.message);
    this.code = error.code;
    this.data = error.data;
  }
}

export async function anvilCall(url: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const answer = (await response.json()) as { result?: unknown; error?: { code: number; message: string; data?: unknown } };
  if (answer.error !== undefined) throw new RpcError(answer.error);
  return answer.result;
}

/** Another process could take it before anvil does; anvil then ends at once, and the caller sees why. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
