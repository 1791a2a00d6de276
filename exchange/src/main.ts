/** `npm start`: one line on standard output when it is ready, one clear sentence and a non-zero exit when it can not be. */
import { readConfig } from './config.ts';
import { StartError } from './start-error.ts';
import { startExchange, type RunningProgram } from './start.ts';

const say = (line: string): void => void process.stderr.write(`orrery: ${line}\n`);

function fail(error: unknown): never {
  say(error instanceof StartError ? error.message : `it could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exit(1);
}

/** The journal or the chain can not go on: what is not durable was not acknowledged, and the next start finds the rest. */
function onFatal(error: Error): void {
  say(`stopping at once: ${error.message}`);
  process.exit(1);
}

let program: RunningProgram | undefined;
let isStopping = false;

function stop(): void {
  if (isStopping) return;
  isStopping = true;
  say('stopping');
  if (program === undefined) process.exit(0);
  program.stop().then(() => process.exit(0), fail);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);

try {
  program = await startExchange({ config: readConfig(process.env), say, onFatal });
  process.stdout.write(`Orrery is ready: ${program.url}\n`);
} catch (error) {
  fail(error);
}
