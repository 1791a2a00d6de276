/**
 * A network of namespaces: a bridge in one of them, and a wire from it to each of the others that can be taken down. What it takes down is silent, and what
 * was on its way arrives after it is up again, as TCP sends it once more. Nothing of it is reached from outside, and it ends with who opened it.
 */
import { type ChildProcess, type ChildProcessByStdio, execFile, spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import { assert } from '@orrery/units';
import { ended } from './ended.ts';

const run = promisify(execFile);
const BRIDGE = 'hub';
const NETWORK = '10.98.0';
/** Holds its namespace until its standard input ends. */
const HOLDER = ['--net', 'sh', '-c', 'echo held; exec cat'];

export class CutNetwork {
  /** Of the bridge. */
  readonly address = `${NETWORK}.1`;
  readonly #holders: ReadonlyMap<string, ChildProcess>;

  private constructor(holders: ReadonlyMap<string, ChildProcess>) {
    this.#holders = holders;
  }

  /** Only root makes namespaces, and only where `ip` and `nsenter` are installed. */
  static isPossible(): boolean {
    const script =
      'ip link add hub0 type bridge && ip link add end0 type veth peer name end1 && ip link set end0 master hub0 && nsenter --net=/proc/self/ns/net true';
    return spawnSync('unshare', ['--net', 'sh', '-c', script], { stdio: 'ignore' }).status === 0;
  }

  static async open(names: readonly string[]): Promise<CutNetwork> {
    const holders = new Map<string, ChildProcess>();
    const network = new CutNetwork(holders);
    try {
      for (const name of [BRIDGE, ...names]) {
        const holder = spawn('unshare', HOLDER, { stdio: ['pipe', 'pipe', 'inherit'] });
        holders.set(name, holder);
        await isHeld(holder);
      }
      await network.#build(names);
    } catch (error) {
      await network.close();
      throw error;
    }
    return network;
  }

  /** Before the words of a program that runs in the namespace of this name, or beside the bridge. */
  under(name: string = BRIDGE): readonly string[] {
    return ['nsenter', `--net=/proc/${this.#pid(name)}/ns/net`];
  }

  cut(name: string): Promise<void> {
    return this.#ip(BRIDGE, `link set to-${name} down`);
  }

  join(name: string): Promise<void> {
    return this.#ip(BRIDGE, `link set to-${name} up`);
  }

  async close(): Promise<void> {
    for (const holder of this.#holders.values()) await ended(holder, 'SIGKILL');
  }

  async #build(names: readonly string[]): Promise<void> {
    await this.#ip(BRIDGE, `link add ${BRIDGE} type bridge`, `addr add ${this.address}/24 dev ${BRIDGE}`, `link set ${BRIDGE} up`);
    for (const [index, name] of names.entries()) {
      await this.#ip(BRIDGE, `link add to-${name} type veth peer name wire netns ${this.#pid(name)}`);
      await this.#ip(BRIDGE, `link set to-${name} master ${BRIDGE} up`);
      await this.#ip(name, 'link set lo up', `addr add ${NETWORK}.${index + 2}/24 dev wire`, 'link set wire up');
    }
  }

  async #ip(name: string, ...commands: readonly string[]): Promise<void> {
    const [program = '', ...words] = this.under(name);
    for (const command of commands) await run(program, [...words, 'ip', ...command.split(' ')]);
  }

  #pid(name: string): number {
    const pid = this.#holders.get(name)?.pid;
    assert(pid !== undefined, `there is a namespace of ${name}`);
    return pid;
  }
}

async function isHeld(holder: ChildProcessByStdio<Writable, Readable, null>): Promise<void> {
  for await (const line of createInterface({ input: holder.stdout })) if (line === 'held') return;
  throw new Error('a namespace ended before it was there');
}
