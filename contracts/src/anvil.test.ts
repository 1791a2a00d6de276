import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAnvil } from './anvil.ts';
import { forgetSettings } from './child-environment.ts';

/** The environments of all processes that work in the folder, as the kernel shows them. */
function environmentsIn(directory: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`) === directory ? [readFileSync(`/proc/${pid}/environ`, 'utf8')] : [];
      } catch {
        return [];
      }
    });
}

test('the local chain and its shell inherit no key of ours', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'orrery-anvil-'));
  process.env['ORRERY_OPERATOR_KEY'] = 'a key that no child may see';
  process.env['SOMEBODY_ELSES_SECRET'] = 'nor this';
  const anvil = await startAnvil({ directory, flags: ['--silent', '--cache-path', directory] });
  try {
    const environments = environmentsIn(directory);
    expect(environments.length).toBeGreaterThanOrEqual(2);
    const names = environments.flatMap((text) => text.split('\0').map((line) => line.split('=')[0]));
    expect(
      names.filter((name) => name !== '' && !['PATH', 'HOME', 'LANG', 'TZ', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name ?? '')),
    ).toEqual([]);
    expect(environments.join()).not.toContain('a key that no child may see');
  } finally {
    await anvil.end();
    delete process.env['ORRERY_OPERATOR_KEY'];
    delete process.env['SOMEBODY_ELSES_SECRET'];
    rmSync(directory, { recursive: true, force: true });
  }
});

test('settings are taken out of the environment, and nothing else', () => {
  const env: NodeJS.ProcessEnv = { PATH: '/bin', ORRERY_OPERATOR_KEY: '0x1', ORRERY_DATABASE_URL: 'postgres://a:b@c/d', ORRERYX: '1' };
  forgetSettings(env);
  expect(env).toEqual({ PATH: '/bin', ORRERYX: '1' });
});
