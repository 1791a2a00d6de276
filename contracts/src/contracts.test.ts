import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { generatedFiles } from './generate.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A suite that silently stops running is worse than one that fails. Raise it with every test that is added. */
const EXPECTED_TESTS = 74;

interface Suite {
  readonly test_results: Readonly<Record<string, { readonly status: string; readonly reason: string | null }>>;
}

function forge(): string {
  const platform = { x64: 'amd64', arm64: 'arm64' }[process.arch as 'x64' | 'arm64'];
  return createRequire(import.meta.url).resolve(`@foundry-rs/forge-linux-${platform}/bin/forge`);
}

test('[C6] the committed ABIs and bytecode are what the Solidity sources compile to', { timeout: 120_000 }, () => {
  for (const [name, text] of generatedFiles()) {
    const committed = readFileSync(join(ROOT, 'src', 'generated', name), 'utf8');
    expect(committed === text, `${name} is stale: run npm run generate -w @orrery/contracts`).toBe(true);
  }
});

test('[C6] D4, D5, D6: unit, fuzz and invariant tests of the contracts pass', { timeout: 300_000 }, () => {
  const run = spawnSync(forge(), ['test', '--json', '--root', ROOT], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    // The compiler shim is started by its first line, which must find this Node and not the system's.
    env: { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
  });
  expect(run.error).toBeUndefined();
  const output = run.stdout.slice(run.stdout.indexOf('{'));
  const suites = Object.values(JSON.parse(output) as Record<string, Suite>);
  const results = suites.flatMap((suite) => Object.entries(suite.test_results));
  const failures = results.filter(([, result]) => result.status !== 'Success').map(([name, { reason }]) => `${name}: ${reason}`);
  expect(failures).toEqual([]);
  expect(results.length).toBeGreaterThanOrEqual(EXPECTED_TESTS);
  expect(run.status).toBe(0);
});
