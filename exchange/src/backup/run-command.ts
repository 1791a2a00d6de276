/** A command that works on an installation from outside: one sentence on standard output, or why not, and everything it started stopped. */
import { Closing } from '../closing.ts';
import { StartError } from '../start-error.ts';

const say = (line: string): void => void process.stderr.write(`orrery: ${line}\n`);

/**
 * @param failed how the sentence about a failure without one of its own begins
 * @returns the exit code.
 */
export async function runCommand(
  failed: string,
  work: (closing: Closing, say: (line: string) => void) => Promise<string>,
): Promise<number> {
  // Files that are made are the owner's alone.
  process.umask(0o077);
  const closing = new Closing((part, error) => say(`${part} did not stop cleanly: ${String(error)}`));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void closing.run().then(() => process.exit(130)));
  try {
    process.stdout.write(`${await work(closing, say)}\n`);
    return 0;
  } catch (error) {
    say(sentenceOf(error, failed));
    return 1;
  } finally {
    await closing.run();
  }
}

function sentenceOf(error: unknown, failed: string): string {
  if (error instanceof StartError) return error.message;
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return `${failed}: the disk is full.`;
  return `${failed}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
