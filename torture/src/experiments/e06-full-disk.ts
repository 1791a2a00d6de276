/** E6: another program fills the volume of the journal, to the last byte. */
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PlaceOrder } from '@orrery/protocol';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import type { Experiment } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { FATAL_EXIT } from '../heart/conversation.ts';
import { cancelOf, founding, limitOrder, MARKETS, MID } from '../heart/market-town.ts';
import { Servant } from '../heart/servant.ts';
import { isDone, isRefusedFor, Witness } from '../heart/witness.ts';

const TRIALS = { small: 2, large: 50 };
const VOLUME = 'size=1m';
const PEOPLE = 2;
const ORDERS = 60;
/** The heart looks at the volume once a second. */
const PATIENCE_MS = 5_000;
const ASK_EVERY_MS = 50;
/** More than what was prepared can hold: at the latest then nothing fits any more. */
const MOST_CANCELS = 20_000;
const LIMITS = { segmentBytes: 1 << 15, reserveBytes: 1 << 16, hashEvery: 100, snapshotEvery: 1_000_000, minFreeRatio: 0.1 };

export const fullDisk: Experiment = {
  id: 'E6',
  title: 'full disk',
  mustHold: 'orders are refused early, cancels go on in the reserve, then a clean end; with room again it goes on with the same state',
  async run({ dose, seed, say }) {
    if (process.getuid?.() !== 0) return { trials: 0, facts: {}, violations: [], notRun: 'a volume of its own needs root' };
    const chance = new Chance(seed);
    const trials: Trial[] = [];
    for (let number = 1; number <= TRIALS[dose]; number += 1) {
      trials.push(await onVolume((volume) => fillUp(new Scene(volume, chance))));
      if (number % 10 === 0) say(`${number} of ${TRIALS[dose]}`);
    }
    return {
      trials: trials.length,
      facts: {
        'orders refused': trials.reduce((sum, { refused }) => sum + refused, 0),
        'cancels on the full disk, fewest': Math.min(...trials.map(({ cancels }) => cancels)),
      },
      violations: trials.flatMap(({ violations }, index) => violations.map((line) => `trial ${index + 1}: ${line} (seed ${seed})`)),
    };
  },
};

interface Trial {
  /** Answered between the last byte of the volume and the end of the process. */
  readonly cancels: number;
  readonly refused: number;
  readonly violations: readonly string[];
}

function onVolume<Result>(run: (volume: string) => Promise<Result>): Promise<Result> {
  return inFolder(async (folder) => {
    const volume = join(folder, 'volume');
    mkdirSync(volume);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', VOLUME, 'tmpfs', volume]);
    if (mounted.status !== 0) throw new Error(`no volume could be mounted: ${mounted.stderr.toString()}`);
    try {
      return await run(volume);
    } finally {
      spawnSync('umount', [volume]);
    }
  });
}

class Scene {
  readonly directory: string;
  readonly witness = new Witness();
  readonly violations: string[] = [];
  readonly #ballast: string;
  readonly #chance: Chance;
  #orders = 0;

  constructor(volume: string, chance: Chance) {
    this.directory = join(volume, 'history');
    this.#ballast = join(volume, 'ballast');
    this.#chance = chance;
  }

  start(): Promise<Servant> {
    return Servant.start({ directory: this.directory, limits: LIMITS });
  }

  expect(holds: boolean, otherwise: string): void {
    if (!holds) this.violations.push(otherwise);
  }

  /** Never crosses another one. */
  nextOrder(): PlaceOrder {
    this.#orders += 1;
    const side = this.#chance.oneIn(2) ? 'buy' : 'sell';
    const away = this.#chance.between(1, 1_000);
    const price = side === 'buy' ? MID - away : MID + away;
    return limitOrder({
      account: this.#chance.between(1, PEOPLE),
      market: this.#chance.pick(MARKETS),
      side,
      price,
      name: `o${this.#orders}`,
    });
  }

  /** In pieces that grow smaller, down to the last byte. */
  fillVolume(): void {
    const descriptor = openSync(this.#ballast, 'w');
    for (let size = 1 << 16; size >= 1;) {
      try {
        writeSync(descriptor, new Uint8Array(size));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
        size >>= 1;
      }
    }
    closeSync(descriptor);
  }

  freeVolume(): void {
    rmSync(this.#ballast);
  }
}

async function fillUp(scene: Scene): Promise<Trial> {
  const { witness } = scene;
  const heart = await scene.start();
  for (const command of founding(PEOPLE)) await witness.submit(heart, command);
  const orders = Array.from({ length: ORDERS }, () => scene.nextOrder());
  for (const order of orders) scene.expect(isDone(await witness.submit(heart, order)), 'with room an order was refused');

  scene.fillVolume();
  const isRefused = async (of: Servant): Promise<boolean> => isRefusedFor(await witness.submit(of, scene.nextOrder()), 'cancelsOnly');
  scene.expect(await soon(() => isRefused(heart)), 'orders were not refused');
  const { openOrders } = await heart.read();
  scene.expect(openOrders >= ORDERS, `${openOrders} orders could be read, and at least ${ORDERS} were open`);
  const cancels = await cancelToTheEnd(scene, heart, orders);
  const { code, stderr } = await heart.end;
  scene.expect(code === FATAL_EXIT, `the process ended with ${String(code)}: ${stderr}`);

  // The next start finds the volume as full as before.
  const second = await scene.start();
  scene.expect(await isRefused(second), 'after a start on the full disk an order was taken');
  const { seq } = await second.read();
  scene.expect(seq >= witness.lastAnswered, `${witness.lastAnswered} was answered, and history ends with ${seq}`);
  scene.freeVolume();
  scene.expect(await soon(async () => isDone(await witness.submit(second, scene.nextOrder()))), 'with room again no order was taken');
  const last = await second.read();
  await second.stop();
  const { stateHash, applied, violations } = await witness.compareWith(scene.directory);
  if (last.stateHashSeq === applied.length) scene.expect(last.stateHash === stateHash, 'the next start reaches another state');
  return { cancels, refused: witness.refused, violations: [...scene.violations, ...violations] };
}

/** First what is open, then what is long gone: each takes its place in history until nothing fits. @returns how many were answered. */
async function cancelToTheEnd(scene: Scene, heart: Servant, orders: readonly PlaceOrder[]): Promise<number> {
  for (let cancels = 0; cancels < MOST_CANCELS; cancels += 1) {
    const order = orders[cancels % orders.length];
    if (order === undefined) break;
    if (isDone(await scene.witness.submit(heart, cancelOf(order)))) continue;
    scene.expect(cancels >= orders.length, `only ${cancels} cancels were taken`);
    return cancels;
  }
  scene.expect(false, 'the volume never was too full');
  await heart.kill();
  return MOST_CANCELS;
}

async function soon(ask: () => Promise<boolean>): Promise<boolean> {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await pause(ASK_EVERY_MS))
    if (await ask()) return true;
  return false;
}
