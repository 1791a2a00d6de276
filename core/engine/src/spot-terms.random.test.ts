/** Random take-profits, trailing stops, pairs and protected purchases in a thin market, against their naive twin. Every table is restored from its bytes after each command. */
import { LATEST_RULES } from '@orrery/rules';
import { expect, test } from 'vitest';
import { atoms, lots, seq as seqOf } from '@orrery/units';
import type { Command, Event } from '@orrery/protocol';
import { Chance } from './testing/chance.ts';
import { NaiveExchange } from './testing/naive-exchange.ts';
import { NaiveSpotTerms } from './testing/naive-spot-terms.ts';
import { MARKET, opening, Table } from './testing/tape.ts';
import { parseCommand } from './testing/tape-command.ts';
import { withoutFigures } from './testing/twins.ts';

const SEEDS = 12;
const STEPS = 400;
const PEOPLE = ['alice', 'bob', 'carol'] as const;

/** The words of a command, and who gives it. */
function drawn(chance: Chance, last: number): readonly [string, string] {
  const near = (spread: number): number => Math.max(20, last + chance.between(-spread, spread));
  const away = (least: number): number => least + chance.below(12);
  const who = chance.pick(PEOPLE);
  const side = chance.pick(['buy', 'sell'] as const);
  const size = chance.between(1, 12);
  const up = last + away(1);
  const down = Math.max(15, last - away(1));
  const [wins, loses] = side === 'sell' ? [up, down] : [down, up];
  const limit = chance.oneIn(2);
  switch (chance.below(12)) {
    case 0:
      return [who, `${side} ${size} @ ${limit ? wins : 'market'} take ${wins}`];
    case 1:
      return [who, `${side} ${size} @ market trail ${chance.between(1, 12) * 10_000}${chance.oneIn(2) ? ` activation ${wins}` : ''}`];
    case 2:
    case 3: {
      const profit = limit ? `${wins}` : `market take ${wins}`;
      const stop = chance.oneIn(3) ? `${loses} stop ${loses}` : `market stop ${loses}`;
      return [who, `pair ${side} ${size} above ${side === 'sell' ? profit : stop} below ${side === 'sell' ? stop : profit}`];
    }
    case 4:
    case 5: {
      const price = chance.oneIn(4) ? 'market' : String(near(3));
      const gain = chance.oneIn(4) ? '' : ` gain ${near(0) + away(4)}${chance.oneIn(3) ? ` gain-limit ${near(0) + away(2)}` : ''}`;
      const loss = gain !== '' && chance.oneIn(4) ? '' : ` loss ${Math.max(15, last - away(4))}`;
      return [who, `buy ${size + 8} @ ${price}${gain}${loss}${chance.oneIn(6) && price !== 'market' ? ` stop ${up}` : ''}`];
    }
    case 6:
      return [who, chance.oneIn(6) ? 'cancel all' : `cancel #${chance.between(1, 400)}`];
    case 7:
      return ['exchange', chance.oneIn(12) ? 'halt' : 'open'];
    case 8:
      return ['exchange', `index ${last}`];
    case 9:
      return [who, `amend #${chance.between(1, 400)} ${size} @ ${near(4)}`];
    default:
      return [who, `${side} ${size} @ ${near(5)} stp ${chance.pick(['expireTaker', 'expireMaker', 'expireBoth', 'decrement'])}`];
  }
}

/** A least size that a fill may be below, and a wider band, so that orders are triggered that can act. */
const TERMS = { minSize: lots(2), minNotional: atoms(300n), marketBandPpm: MARKET.limitBandPpm };

const print = (command: Command): string =>
  JSON.stringify(command, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));

function run(seed: number): NaiveSpotTerms {
  const chance = new Chance(seed);
  const table = new Table({ terms: TERMS });
  const twin = new NaiveSpotTerms({ ...MARKET, ...TERMS });
  const naive = new NaiveExchange();
  let count = 0;
  const applied = (command: Command): readonly Event[] => naive.apply({ seq: seqOf((count += 1)), at: table.at, command });
  for (const command of [...opening(TERMS), { type: 'UpgradeRules', version: LATEST_RULES } as const]) applied(command);
  let last = 100;
  let isTrading = true;
  const give = (command: Command): void => {
    const events = table.give(command);
    // The naive exchange says the same, balances included.
    expect(applied(command), print(command)).toEqual(events.map(withoutFigures));
    twin.follow(events);
    for (const event of events) {
      if (event.type === 'Trade') last = event.price;
      if (event.type === 'MarketStateChanged') isTrading = event.state === 'TRADING';
    }
  };
  for (let step = 0; step < STEPS; step += 1) {
    const [who, words] = drawn(chance, last);
    give(parseCommand(who, words.split(' ')));
    for (let next = table.engine.continuation(); next !== undefined; next = table.engine.continuation()) give(next);
    if (isTrading) twin.settled();
  }
  table.replay();
  expect(table.engine.imbalance()).toBeUndefined();
  return twin;
}

test('orders of a spot market wait, follow, pair up and protect as their naive twin says', () => {
  const seen = new Map<string, number>();
  const first = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
  for (let seed = first; seed < first + SEEDS; seed += 1) {
    try {
      for (const [what, count] of Object.entries(run(seed).seen)) seen.set(what, (seen.get(what) ?? 0) + count);
    } catch (error) {
      throw new Error(`seed ${seed}`, { cause: error });
    }
  }
  for (const [what, count] of seen) expect(count, what).toBeGreaterThan(0);
});
