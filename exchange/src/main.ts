/** `npm start`, and `npm start -- --check`, which only shows the settings: one line on standard output when it is ready, one clear sentence and a non-zero exit when it can not be. */
import { forgetSettings } from '@orrery/contracts/child-environment';
import { threadsHaveTheirOwnLimits } from '@orrery/foundation';
import { checkSettings } from './check-settings.ts';
import { Closing } from './closing.ts';
import { readConfig, type Config } from './config.ts';
import type { Redact } from './redaction.ts';
import { StartError } from './start-error.ts';
import { startExchange } from './start.ts';
import type { StartOptions } from './begin-process.ts';
import { StopBySignal } from './stop-by-signal.ts';

/** Until the settings are read nothing knows a secret. */
let redact: Redact = (text) => text;

const say = (line: string): void => void process.stderr.write(`orrery: ${redact(line)}\n`);

function fail(error: unknown): never {
  if (error instanceof StartError) for (const reason of error.reasons) say(reason);
  else say(`it could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  process.exit(1);
}

// The flag of the main thread is no flag of the others.
threadsHaveTheirOwnLimits();

// A slip in the arguments must not start an exchange.
const [argument] = process.argv.slice(2);
if (argument === '--check') process.exit(check());
if (argument !== undefined)
  fail(new StartError(`${argument} is no argument: there is only --check, which shows the settings and starts nothing`));

/** @returns the exit code. */
function check(): number {
  const { isUsable, lines, hints } = checkSettings(process.env);
  for (const hint of hints) say(hint);
  if (isUsable) process.stdout.write(`${lines.join('\n')}\n`);
  else for (const line of lines) say(line);
  return isUsable ? 0 : 1;
}

/** The journal or the chain can not go on: what is not durable was not acknowledged, and the next start finds the rest. */
function onFatal(error: Error): void {
  say(`stopping at once: ${error.message}`);
  process.exit(1);
}

// Files that any part makes are the owner's alone.
process.umask(0o077);

const closing = new Closing((part, error) => say(`${part} did not stop cleanly: ${String(error)}`));
const stop = new StopBySignal({ closing, say, starting: () => starting, exit: (code) => process.exit(code) });

// Before anything is started: a signal during the start must find its handler.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop.signal().catch(fail));

const starting: Promise<void> = start({ config: configOrFail(), say, closing, onFatal }).then(
  (where) => void (stop.isStopping || process.stdout.write(`Orrery is ready: ${where}\n`)),
  (error: unknown) => {
    // What a stop takes away from a program that is still starting is no failure.
    if (!stop.isStopping) fail(error);
  },
);

/** @returns where it is reached */
async function start(options: StartOptions): Promise<string> {
  const { role, duties } = options.config;
  if (role === 'heart') {
    const { startHeartAlone } = await import('./start-heart-alone.ts');
    await startHeartAlone(options);
  } else if (role === 'projector') {
    const { startProjectorAlone } = await import('./start-projector-alone.ts');
    await startProjectorAlone(options);
  } else {
    const { url } = await startExchange(options);
    if (duties.has('gateway')) return url;
  }
  return `the role ${role}, over ORRERY_EVENTS`;
}

function configOrFail(): Config {
  try {
    const config = readConfig(process.env);
    redact = config.redact;
    forgetSettings(process.env);
    return config;
  } catch (error) {
    return fail(error);
  }
}
