/** E1: kill -9 at any moment under load: the heart alone, many times a minute, and the whole program with everything it starts. */
import { join } from 'node:path';
import type { Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { killHeart } from '../heart/kill-heart.ts';
import { killProgram } from '../program/kill-program.ts';

const HEART_KILLS = { small: 40, large: 860 };
const PROGRAM_KILLS = { small: 4, large: 150 };

export const killNine: Experiment = {
  id: 'E1',
  title: 'kill -9 at random under load',
  mustHold: 'every answered command is in history once, at its sequence number, and the replay reaches the same state',
  run: (context) =>
    inFolder(async (folder) => {
      const { dose } = context;
      const heart = await killHeart({ directory: join(folder, 'heart'), kills: HEART_KILLS[dose] }, context);
      context.say(`the heart alone: ${heart.trials} kills, ${heart.violations.length} violations`);
      const program = await killProgram({ dataDirectory: join(folder, 'program'), kills: PROGRAM_KILLS[dose] }, context);
      return together({ 'the heart': heart, 'the program': program });
    }),
};

function together(parts: Readonly<Record<string, Findings>>): Findings {
  const named = Object.entries(parts);
  return {
    trials: named.reduce((sum, [, { trials }]) => sum + trials, 0),
    facts: Object.fromEntries(
      named.flatMap(([name, { trials, facts }]) => [
        [`kills of ${name}`, trials],
        ...Object.entries(facts).map(([fact, value]) => [`${name}: ${fact}`, value]),
      ]),
    ),
    violations: named.flatMap(([name, { violations }]) => violations.map((line) => `${name}: ${line}`)),
  };
}
