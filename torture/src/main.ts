/** `npm run torture [-- --only E3,E5 --dose small --seed 7]`: experiments on real processes, and a table of what was found. */
import { parseArgs } from 'node:util';
import type { Dose } from './experiment.ts';
import { EXPERIMENTS } from './experiments/index.ts';
import { broke, conduct, summary, type Outcome } from './outcome.ts';

const say = (line: string): void => void process.stderr.write(`torture: ${line}\n`);

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    dose: { type: 'string', default: 'large' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

function doseOf(text: string): Dose {
  if (text !== 'small' && text !== 'large') throw new RangeError(`a dose is small or large, not ${text}`);
  return text;
}

const dose = doseOf(values.dose);
const seed = Number(values.seed);
const wanted = values.only?.split(',') ?? EXPERIMENTS.map(({ id }) => id);
const unknown = wanted.filter((id) => !EXPERIMENTS.some((experiment) => experiment.id === id));
if (unknown.length > 0) throw new RangeError(`there is no experiment ${unknown.join(', ')}`);

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
