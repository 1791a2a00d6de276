/** E19: an order on which the engine breaks, when it has changed its state already; now and then the process is killed right after. */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Applied, Command, Event, PlaceOrder } from '@orrery/protocol';
import type { MarketId } from '@orrery/units';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import type { Experiment } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { cancelOf, founding, limitOrder, MARKETS, MID } from '../heart/market-town.ts';
import { Servant } from '../heart/servant.ts';
import { isDone, Witness } from '../heart/witness.ts';

const ROUNDS = { small: 8, large: 200 };
const PEOPLE = 2;
const POISON = 'poison';
const LIMITS = { segmentBytes: 1 << 14, reserveBytes: 1 << 14, snapshotEvery: 20, hashEvery: 5, minFreeRatio: 0 };
/** One round in this number ends in a kill right after the poison, possibly before its answer. */
const DIES = 2;
const LONGEST_LIFE_MS = 25;

export const poisonCommand: Experiment = {
  id: 'E19',
  title: 'command on which the engine breaks',
  mustHold: 'it changes nothing and is refused, its market takes cancels only, the others go on, and every replay leaves it out',
  async run({ dose, seed }) {
    return inFolder(async (folder) => {
      const directory = join(folder, 'history');
      const chance = new Chance(seed);
      const witness = new Witness();
      const town = await start(directory);
      for (const command of founding(PEOPLE)) await witness.submit(town, command);
      await town.stop();
      const violations: string[] = [];
      let kills = 0;
      for (let round = 1; round <= ROUNDS[dose]; round += 1) {
        const { killed, wrong } = await poison({ directory, witness, chance, round });
        if (killed) kills += 1;
        violations.push(...wrong.map((line) => `round ${round}: ${line}`));
      }
      const { applied, violations: lost } = await witness.compareWith(directory);
      const poisoned = applied.filter(({ command }) => isPoison(command));
      violations.push(...lost, ...poisoned.flatMap((one) => wrongAbout(one, applied)));
      return {
        trials: ROUNDS[dose],
        facts: { 'poisoned commands in history': poisoned.length, kills },
        violations: violations.map((line) => `${line} (seed ${seed})`),
      };
    });
  },
};

const start = (directory: string): Promise<Servant> => Servant.start({ directory, limits: LIMITS, poison: POISON });

const isPoison = (command: Command): boolean => command.type === 'PlaceOrder' && command.clientOrderId.startsWith(POISON);

interface Round {
  readonly directory: string;
  readonly witness: Witness;
  readonly chance: Chance;
  readonly round: number;
}

async function poison({ directory, witness, chance, round }: Round): Promise<{ killed: boolean; wrong: readonly string[] }> {
  const wrong: string[] = [];
  const [one, other] = MARKETS;
  const [sick, well] = chance.oneIn(2) ? [one, other] : [other, one];
  const order = (market: MarketId, name: string): PlaceOrder =>
    limitOrder({ account: chance.between(1, PEOPLE), market, side: 'buy', price: MID - chance.between(1, 100), name: `${name}-${round}` });
  const expect = async (heart: Servant, command: Command, wanted: Event['type']): Promise<void> => {
    const answer = await witness.submit(heart, command);
    const reported = isDone(answer) ? answer.events[0]?.type : JSON.stringify(answer);
    if (reported !== wanted) wrong.push(`${command.type} was answered by ${reported}, not ${wanted}`);
  };
  let heart = await start(directory);
  for (const market of MARKETS) await witness.submit(heart, { type: 'SetMarketState', market, state: 'TRADING' });
  const open = order(sick, 'open');
  await expect(heart, open, 'OrderAccepted');
  // In the middle of a group that shares a frame.
  const group = [order(sick, 'before'), order(sick, POISON), order(well, 'after')].map((one) => witness.submit(heart, one));
  const killed = chance.oneIn(DIES);
  if (killed) {
    await pause(chance.between(0, LONGEST_LIFE_MS));
    await heart.kill();
    heart = await start(directory);
  }
  const [, answer] = await Promise.all(group);
  if (answer !== undefined && isDone(answer)) {
    if (!isInternalReject(answer.events)) wrong.push(`the poison was answered by ${JSON.stringify(answer.events)}`);
    await expect(heart, order(sick, 'closed'), 'CommandRejected');
  } else if (!killed) wrong.push('the poison was not answered');
  await expect(heart, cancelOf(open), 'OrderClosed');
  await expect(heart, order(well, 'well'), 'OrderAccepted');
  const { code, stderr } = await heart.stop();
  if (code !== 0) wrong.push(`the process ended with ${String(code)}: ${stderr}`);
  return { killed, wrong };
}

const isInternalReject = ([event, ...others]: readonly Event[]): boolean =>
  event?.type === 'CommandRejected' && event.reason === 'InternalReject' && others.length === 0;

/** In history, as an engine without the bug reads it: refused, and its market closed by the very next command. */
function wrongAbout({ seq, command, events }: Applied, applied: readonly Applied[]): readonly string[] {
  if (command.type !== 'PlaceOrder') return [];
  const next = applied[seq]?.command;
  const closes = next?.type === 'SetMarketState' && next.market === command.market && next.state === 'CANCEL_ONLY';
  return [
    ...(isInternalReject(events) ? [] : [`the poisoned command ${seq} is replayed as ${JSON.stringify(events)}`]),
    ...(closes ? [] : [`after the poisoned command ${seq} comes ${next?.type}`]),
  ];
}
