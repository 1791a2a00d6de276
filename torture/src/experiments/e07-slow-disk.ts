/** E7: each sync takes a fifth of a second, while orders come faster than that; clients time out. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PlaceOrder } from '@orrery/protocol';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import type { Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { founding, limitOrder, MARKETS, MID } from '../heart/market-town.ts';
import { Servant } from '../heart/servant.ts';
import { straceArguments, straceTrouble } from '../heart/strace.ts';
import { isDone, isRefusedFor, Witness } from '../heart/witness.ts';

const ORDERS = { small: 400, large: 6_000 };
const SYNC_US = 200_000;
const PEOPLE = 4;
/** Little, so that the queue for the disk is seen to be full. */
const LIMITS = { pendingCommands: 32, minFreeRatio: 0, snapshotEvery: 500, hashEvery: 100 };
/** Arrive together, and then a pause: some find the queue full. */
const CROWD = 20;
const BETWEEN_CROWDS_MS = 40;
/** After which a client gives up, and later asks again under the same name: some sooner than one sync takes. */
const LEAST_PATIENCE_MS = 100;
const MOST_PATIENCE_MS = 700;

export const slowDisk: Experiment = {
  id: 'E7',
  title: 'slow disk',
  mustHold: 'what does not fit into the queue is refused and never happens; who gave up waiting and asks again gets one order',
  async run({ dose, seed }) {
    const notRun = straceTrouble();
    if (notRun !== undefined) return { trials: 0, facts: {}, violations: [], notRun };
    return inFolder((folder) => trade({ folder, orders: ORDERS[dose], seed }));
  },
};

/** How a client sees what came of its order. */
type Fate = 'answered' | 'refused' | 'gaveUp';

async function trade({ folder, orders, seed }: { folder: string; orders: number; seed: number }): Promise<Findings> {
  const directory = join(folder, 'history');
  const chance = new Chance(seed);
  const witness = new Witness();
  const violations: string[] = [];
  const quick = await Servant.start({ directory, limits: LIMITS });
  for (const command of founding(PEOPLE)) await witness.submit(quick, command);
  await quick.stop();

  const injection = { call: 'fdatasync', fault: `delay_enter=${SYNC_US}` };
  const slow = await Servant.start(
    { directory, limits: LIMITS },
    straceArguments({ calls: ['fdatasync'], log: join(folder, 'trace'), injection }),
  );
  const fates: Promise<Fate>[] = [];
  const gaveUp: PlaceOrder[] = [];
  let slowestRead = 0;
  for (let number = 1; number <= orders; number += 1) {
    const patienceMs = chance.between(LEAST_PATIENCE_MS, MOST_PATIENCE_MS);
    fates.push(place({ witness, heart: slow, order: someOrder(number, chance), patienceMs, gaveUp }));
    if (number % CROWD !== 0) continue;
    const asked = performance.now();
    await slow.read();
    slowestRead = Math.max(slowestRead, performance.now() - asked);
    await pause(BETWEEN_CROWDS_MS);
  }
  const count = async (fate: Fate): Promise<number> => (await Promise.all(fates)).filter((one) => one === fate).length;
  const facts = { answered: await count('answered'), refused: await count('refused'), 'gave up': await count('gaveUp') };
  if (facts.refused === 0) violations.push('the queue never was full: nothing was seen');
  if (facts['gave up'] === 0) violations.push('nobody had to give up: nothing was seen');
  const resolved = await Promise.all(gaveUp.map(async (order) => askAgain({ witness, heart: slow, order })));
  violations.push(...resolved.flat());
  const { code, stderr } = await slow.stop();
  if (code !== 0) violations.push(`the process ended with ${String(code)}: ${stderr}`);
  const compared = await witness.compareWith(directory);
  return {
    trials: orders,
    facts: { ...facts, 'slowest read, ms': Math.round(slowestRead) },
    violations: [...violations, ...compared.violations].map((line) => `${line} (seed ${seed})`),
  };
}

function someOrder(number: number, chance: Chance): PlaceOrder {
  const side = chance.oneIn(2) ? 'buy' : 'sell';
  return limitOrder({
    account: chance.between(1, PEOPLE),
    market: chance.pick(MARKETS),
    side,
    price: MID + chance.between(-50, 50),
    name: `o${number}`,
  });
}

interface Placing {
  readonly witness: Witness;
  readonly heart: Servant;
  readonly order: PlaceOrder;
}

async function place({ witness, heart, order, patienceMs, gaveUp }: Placing & { patienceMs: number; gaveUp: PlaceOrder[] }): Promise<Fate> {
  const answer = await Promise.race([witness.submit(heart, order), pause(patienceMs).then(() => undefined)]);
  if (answer === undefined) {
    gaveUp.push(order);
    return 'gaveUp';
  }
  return isRefusedFor(answer, 'overloaded') ? 'refused' : 'answered';
}

/** Until there is an answer: then it is known that there is one order, whether the first asking or this one made it. */
async function askAgain({ witness, heart, order }: Placing): Promise<readonly string[]> {
  for (;;) {
    const answer = await witness.submit(heart, order);
    if (isRefusedFor(answer, 'overloaded')) {
      await pause(LEAST_PATIENCE_MS);
      continue;
    }
    const reported = isDone(answer) ? answer.events[0]?.type : undefined;
    const isOne = reported === 'OrderRepeated' || reported === 'OrderAccepted';
    return isOne ? [] : [`asked again for ${order.clientOrderId}: ${JSON.stringify(reported)}`];
  }
}
