/** Starts the local chain program, anvil, which npm brought along for this platform. Node only; no network. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createServer, Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { childEnvironment } from './child-environment.ts';

export interface Anvil {
  readonly url: string;
  /** Resolves when the process is gone, by whatever cause. */
  readonly exited: Promise<void>;
  /** Kills the node and resolves when it is gone. It needs no clean exit: its owner stores all state that matters. */
  end(): Promise<void>;
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

/**
 * A shell holds the node on a leash: when our end of its pipe closes, even because we were killed, the node is killed.
 * Without it every killed program would leave an orphaned node behind.
 */
const LEASH = `
exec 3<&0
"$0" "$@" </dev/null 3<&- &
node=$!
{ read -r _ <&3; kill -9 $node; } 2>/dev/null &
reader=$!
exec 3<&-
wait $node
kill $reader 2>/dev/null
`;

/** Listens on a free loopback port. In a session of its own, so that Ctrl-C reaches us and not the node. */
export async function startAnvil({ flags, directory }: AnvilOptions): Promise<Anvil> {
  const port = await freePort();
  const command = [anvilBinary(), '--host', '127.0.0.1', '--port', String(port), '--no-cors', ...flags];
  const child = spawn('/bin/sh', ['-c', LEASH, ...command], {
    cwd: directory,
    env: childEnvironment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  await once(child, 'spawn');
  const exited = once(child, 'exit').then(() => child.stdin.destroy());
  const end = async (): Promise<void> => {
    // Who ends it waits for its end, with nothing else to live for perhaps.
    child.ref();
    child.stdin.destroy();
    await exited;
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await answering(child, url);
  } catch (error) {
    await end();
    throw error;
  }
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return { url, exited: exited.then(() => undefined), end };
}

async function answering(child: ChildProcess & { stderr: Readable }, url: string): Promise<void> {
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-2000);
  });
  const deadline = Date.now() + START_DEADLINE_MS;
  while (Date.now() < deadline) {
    const answers = await anvilCall(url, 'eth_chainId', []).then(
      () => true,
      () => false,
    );
    await delay(POLL_MS);
    // Should another program have taken the port, it answered; then ours has ended by now.
    if (child.exitCode !== null) throw new Error(`anvil did not start: ${complaint.trim()}`);
    if (answers) {
      // Nobody reads it from here on; a pipe left open would keep this process alive.
      child.stderr.destroy();
      return;
    }
  }
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
