/** The whole program in a process of its own, on a new folder that is removed when it ends by SIGTERM. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Closing } from '@orrery/exchange/closing';
import { readConfig } from '@orrery/exchange/config';
import { type RunningProgram, startExchange } from '@orrery/exchange/start';

/** @param settings beside a port that is free */
export async function openWholeExchange(
  settings: Readonly<Record<string, string>>,
): Promise<RunningProgram & { readonly directory: string }> {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-bench-'));
  const closing = new Closing((part, error) => console.error(`${part}: ${String(error)}`));
  const running = await startExchange({
    config: readConfig({ ORRERY_PORT: '0', ORRERY_DATA: directory, ORRERY_LOG: 'error', ...settings }),
    say: () => undefined,
    closing,
    onFatal(error) {
      console.error(error.message);
      process.exit(1);
    },
  });
  process.once('SIGTERM', () => {
    void closing.run().then(() => {
      rmSync(directory, { recursive: true, force: true });
      process.exit(0);
    });
  });
  return { ...running, directory };
}
