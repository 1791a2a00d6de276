/**
 * `npm run bench`: every claim of speed, measured in one run beside a bare baseline. Each part runs in a separate process, one
 * after the other, with the Node flags of the exchange. `--json` prints one object; `--only book,engine` runs these parts.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { asked, chosen } from '../../tools/asked.ts';
import { NODE_FLAGS } from '../../tools/node-flags.mjs';
import type { Findings, Part } from './part.ts';
import { PARTS } from './parts.ts';

const USAGE = `npm run bench [-- --json --only ${PARTS.map(({ name }) => name).join(',')}]`;

const { json, parts } = asked(USAGE, () => {
  const { values } = parseArgs({ options: { json: { type: 'boolean', default: false }, only: { type: 'string' } } });
  const names = chosen(
    '--only',
    values.only,
    PARTS.map(({ name }) => name),
  );
  return { json: values.json, parts: PARTS.filter(({ name }) => names.includes(name)) };
});
const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

/** @throws when the part fails: a benchmark whose answers are wrong has no figures. */
async function run({ name, nodeOptions = [] }: Part): Promise<Findings> {
  const child = fork(fileURLToPath(new URL('./run-part.ts', import.meta.url)), [name], {
    execArgv: [...process.execArgv, ...NODE_FLAGS, '--expose-gc', ...nodeOptions],
    // Its standard output would stand in the middle of the JSON.
    stdio: ['ignore', process.stderr, 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  let findings: Findings | undefined;
  child.on('message', (message: Findings) => {
    findings = message;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0 || findings === undefined) throw new Error(`the part ${name} ended with ${String(code)} and without figures`);
  return findings;
}

say(`${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, ${new Date().toISOString()}`);
const figures: Record<string, object> = {};
for (const part of parts) {
  say(`${part.name}: ${part.about}`);
  const found = await run(part);
  Object.assign(figures, found.figures);
  // With `--json` the sentences go where the progress goes.
  for (const line of found.lines) (json ? say : console.log)(`  ${line}`);
}
if (json) console.log(JSON.stringify(figures));
