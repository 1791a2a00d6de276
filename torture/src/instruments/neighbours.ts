/**
 * All attacks of `hostile.ts` at once, from a process of their own: those who attack have machines of their own, and what they spend on attacking is
 * not what is measured. In the process of the honest trader their work would be counted as the program's delay.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { KeyOfPerson } from '../../../exchange/e2e/person.ts';
import type { Tally } from './hostile.ts';

const PROGRAM = fileURLToPath(new URL('neighbours-child.ts', import.meta.url));

export interface Plan {
  readonly url: string;
  /** May only read. */
  readonly key: KeyOfPerson;
  /** The attacks end when they have made their calls, and after this in any case; milliseconds. */
  readonly hostileMs: number;
  /** How often each slow socket is opened again. */
  readonly rounds: number;
  readonly streams: number;
  /** On each stream. */
  readonly messages: number;
  readonly nonces: number;
  readonly transactions: number;
  /** Whether the attackers give way to everything else on this machine. On a busy one they would not get far. */
  readonly yields: boolean;
}

export type Tallies = Readonly<Record<'sockets' | 'stream' | 'nonces' | 'addresses' | 'transactions', Tally>>;

/** Resolves when all attacks are over; rejects with what the child has printed when it ends before. */
export async function attackFromElsewhere(plan: Plan): Promise<Tallies> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const complaints: string[] = [];
  child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
  if (plan.yields && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const ended = once(child, 'close').then(([code]) => {
    throw new Error(`the neighbours ended with ${String(code)}: ${complaints.join('')}`);
  });
  const reported = once(child, 'message').then(([tallies]) => tallies as Tallies);
  child.send(plan);
  try {
    return await Promise.race([reported, ended]);
  } finally {
    ended.catch(() => undefined);
    child.kill();
  }
}
