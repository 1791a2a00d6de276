/** `npm run torture [-- --only E3,E5 --dose small --seed 7]`: experiments on real processes, and a table of what was found. */
import { parseArgs } from 'node:util';
import { asked, chosen, wholeNumber } from '../../tools/asked.ts';
import type { Dose } from './experiment.ts';
import { EXPERIMENTS } from './experiments/index.ts';
import { broke, conduct, summary, type Outcome } from './outcome.ts';

const say = (line: string): void => void process.stderr.write(`torture: ${line}\n`);

const IDS = EXPERIMENTS.map(({ id }) => id);
const USAGE = `npm run torture [-- --only ${IDS.slice(0, 3).join(',')} --dose small|large --seed N]

${EXPERIMENTS.map(({ id, title }) => `${id.padEnd(4)} ${title}`).join('\n')}`;

const { dose, seed, wanted } = asked(USAGE, () => {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      dose: { type: 'string', default: 'large' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    },
  });
  return { dose: doseOf(values.dose), seed: wholeNumber('--seed', values.seed), wanted: chosen('--only', values.only, IDS) };
});

function doseOf(text: string): Dose {
  if (text !== 'small' && text !== 'large') throw new RangeError(`--dose is small or large, not ${JSON.stringify(text)}`);
  return text;
}

const outcomes: Outcome[] = [];
for (const experiment of EXPERIMENTS) {
  if (!wanted.includes(experiment.id)) continue;
  say(`${experiment.id} ${experiment.title} (${dose} dose, seed ${seed})`);
  const outcome = await conduct(experiment, { dose, seed, say: (line) => say(`${experiment.id} ${line}`) });
  for (const violation of outcome.findings.violations) say(`${experiment.id} VIOLATION ${violation}`);
  outcomes.push(outcome);
}
console.log(summary(outcomes));
process.exitCode = outcomes.some(broke) ? 1 : 0;
