/** Prometheus' own tool for rules, as a test runs it. `npm test` fetches it where it is missing. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROMTOOL = process.env['ORRERY_PROMTOOL'] ?? 'promtool';

const RULES_FOLDER = fileURLToPath(new URL('../../../deploy/prometheus', import.meta.url));

export const hasPromtool = spawnSync(PROMTOOL, ['--version']).error === undefined;

/** Runs in the folder of the rules. */
export function promtool(...args: readonly string[]): { readonly status: number | null; readonly said: string } {
  const { status, stdout, stderr } = spawnSync(PROMTOOL, args, { cwd: RULES_FOLDER, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}
