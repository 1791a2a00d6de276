/** The whole program, killed again and again while people trade on it; every other time its database and its chain with it. */
import { setTimeout as pause } from 'node:timers/promises';
import { createEngine, decodeState } from '@orrery/engine';
import { createClient, type Client } from '@orrery/sdk';
import { verifyFolder } from '@orrery/sequencer/verify';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { keyClient, prepareToTrade, signIn, tradeKey, type KeyOfPerson } from '../../../exchange/e2e/person.ts';
import { processesIn } from '../../../exchange/e2e/processes-in.ts';
import { startProgram, type Program } from '../../../exchange/e2e/program.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { historyDirectory } from '../../../exchange/src/start-heart.ts';
import type { Context, Findings } from '../experiment.ts';
import { compareMemory, Memory, trade } from './traders.ts';

const PEOPLE = 2;
const HANDS = 3;
const LONGEST_LIFE_MS = 300;
/** Every answer that traders received is queried again after this number of kills, and at the end. */
const LOOK_EVERY = 25;

interface Trader {
  readonly key: KeyOfPerson;
  readonly memory: Memory;
}

const start = (dataDirectory: string): Promise<Program> => startProgram({ dataDirectory, env: { ORRERY_MARKET_MAKER: 'off' } });

export async function killProgram(
  { dataDirectory, kills }: { dataDirectory: string; kills: number },
  { seed, say }: Context,
): Promise<Findings> {
  const chance = new Chance(seed);
  let program = await start(dataDirectory);
  const traders = await Promise.all(Array.from({ length: PEOPLE }, () => newTrader(program)));
  const client = ({ key }: Trader): Client => keyClient(program.url, key);
  const count = (): number => traders.reduce((sum, { memory }) => sum + memory.placed.size, 0);
  const violations: string[] = [];
  const look = async (): Promise<void> => {
    for (const trader of traders) violations.push(...(await compareMemory(client(trader), trader.memory)));
  };
  /** After each restart: what the program says its state is, come back from snapshot and journal. */
  const states = new Map<number, string>();
  for (let round = 1; round <= kills; round += 1) {
    const before = count();
    const life = new AbortController();
    const hands = traders.flatMap((trader, person) =>
      Array.from({ length: HANDS }, (_, hand) =>
        trade({ client: client(trader), memory: trader.memory, chance, name: `r${round}-${person}-${hand}`, gone: life.signal }),
      ),
    );
    await until('an order is acknowledged', () => Promise.resolve(count() > before));
    await pause(chance.below(LONGEST_LIFE_MS));
    await program.kill();
    life.abort();
    if (round % 2 === 0) for (const pid of processesIn(dataDirectory)) killNow(pid);
    await Promise.all(hands);
    program = await start(dataDirectory);
    const { stateHashSeq, stateHash } = await createClient({ baseUrl: program.url }).status();
    states.set(stateHashSeq, stateHash);
    if (round % LOOK_EVERY === 0) {
      await look();
      say(`the whole program: ${round} of ${kills}, ${count()} orders acknowledged, ${violations.length} violations`);
    }
  }
  await look();
  const code = await program.stop();
  if (code !== 0) violations.push(`the program ended with ${String(code)}`);
  const { seq, checked } = verifyFolder(historyDirectory(dataDirectory), { createEngine, decodeState }, states);
  if (checked < states.size) violations.push(`${states.size} states were reported, and the replay came by ${checked}`);
  const canceled = traders.reduce((sum, { memory }) => sum + memory.canceled.size, 0);
  return {
    trials: kills,
    facts: { orders: count(), cancels: canceled, 'commands in history': seq, 'hashes compared': checked },
    violations,
  };
}

async function newTrader({ url }: Program): Promise<Trader> {
  const person = await signIn(url);
  await prepareToTrade(url, person);
  return { key: await tradeKey(person), memory: new Memory() };
}

/** A process that has exited already counts as killed. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
