/** `npm start`: one line on standard output when it is ready, one clear sentence and a non-zero exit when it can not be. */
import { forgetSettings } from '@orrery/contracts/child-environment';
import { Closing } from './closing.ts';
import { readConfig, type Config } from './config.ts';
import type { Redact } from './redaction.ts';
import { StartError } from './start-error.ts';
import { startExchange } from './start.ts';
import { StopBySignal } from './stop-by-signal.ts';

/** Until the settings are read nothing knows a secret. */
let redact: Redact = (text) => text;

const say = (line: string): void => void process.stderr.write(`orrery: ${redact(line)}\n`);

function fail(error: unknown): never {
  say(
    error instanceof StartError
      ? error.message
      : `it could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
  );
  process.exit(1);
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

const starting: Promise<void> = startExchange({ config: configOrFail(), say, closing, onFatal }).then(
  ({ url }) => void (stop.isStopping || process.stdout.write(`Orrery is ready: ${url}\n`)),
  (error: unknown) => {
    // What a stop takes away from a program that is still starting is no failure.
    if (!stop.isStopping) fail(error);
  },
);

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
