/** The program on a chain elsewhere, with a proxy between the two, and people who have claimed their test tokens. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, type Client } from '@orrery/sdk';
import type { Hex } from 'viem';
import { claimTokens, signIn, type Person } from '../../../exchange/e2e/person.ts';
import { BEHIND_A_PROXY, startProgram, type Program } from '../../../exchange/e2e/program.ts';
import { RpcProxy } from './rpc-proxy.ts';
import { TestChain } from '../../../exchange/e2e/test-chain.ts';

export interface FarChainOptions {
  readonly confirmations: number;
  readonly people: number;
  readonly mineEveryMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface FarChain {
  readonly chain: TestChain;
  readonly rpc: RpcProxy;
  readonly program: Program;
  readonly people: readonly Person[];
  /** Calls as a visitor. */
  readonly anyone: Client;
  readonly vault: Hex;
  /** Stops the program and starts it again, with other settings beside its own. @returns its new address. */
  restart(env: Readonly<Record<string, string>>): Promise<string>;
  close(): Promise<void>;
}

const MINE_EVERY_MS = 100;

export async function openFarChain(options: FarChainOptions): Promise<FarChain> {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-torture-'));
  const chain = await TestChain.open({ mineEveryMs: options.mineEveryMs ?? MINE_EVERY_MS });
  const rpc = await RpcProxy.open(chain.url);
  const env = {
    ...chain.settings,
    ORRERY_RPC_URL: rpc.url,
    ORRERY_CONFIRMATIONS: String(options.confirmations),
    ...BEHIND_A_PROXY,
    ...options.env,
  };
  const program = await startProgram({ dataDirectory, env });
  let running = program;
  const people = await Promise.all(
    Array.from({ length: options.people }, async (_, index) => {
      const person = await signIn(program.url, { from: `10.0.0.${index + 1}` });
      await claimTokens(program.url, person);
      await chain.makeRich(person.wallet.address);
      return person;
    }),
  );
  const anyone = createClient({ baseUrl: program.url });
  const { exchange } = await anyone.contracts();
  return {
    chain,
    rpc,
    program,
    people,
    anyone,
    vault: exchange as Hex,
    async restart(more) {
      await running.stop();
      running = await startProgram({ dataDirectory, env: { ...env, ...more } });
      return running.url;
    },
    async close() {
      await running.stop();
      await rpc.close();
      await chain.close();
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
