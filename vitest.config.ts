import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of the whole program, without a browser. */
const WITHOUT_BROWSER = [
  'exchange/e2e/{start,container,metrics,scans,fund-manager,fund-key,authorisation,malformed,timelock-kill,withdrawal-kill,otc-kill,otc-dispute-kill,fund-kill,old-client,sandbox,erasure,roles,two-gateways,two-gateways-authorisation,traces,backup}.e2e.ts',
  'torture/src/**/*.e2e.ts',
  'bench/src/**/*.e2e.ts',
];

/** What takes longest is begun first: begun last, it would be waited for alone. */
const LONGEST = [
  'torture.e2e.ts',
  'start.e2e.ts',
  'otc-dispute-kill.e2e.ts',
  'backup.e2e.ts',
  'security.e2e.ts',
  'two-gateways-authorisation.e2e.ts',
  'export-key.e2e.ts',
  'claim-kill.e2e.ts',
  'otc.e2e.ts',
  'otc-desk.e2e.ts',
  'lucky-block.e2e.ts',
  'points.e2e.ts',
  'year.e2e.ts',
  'simulator/src/seeds.test.ts',
  'gateway/src/fuzz.test.ts',
  'engine.random.test.ts',
  'stream/fuzz.test.ts',
  'deposit.test.ts',
  'reorganisation.test.ts',
  'contracts.test.ts',
];

/** Files that share a program follow one another: between them it would run for nobody. */
const isSharing = (file: string): boolean => file.endsWith('.e2e.ts') && readFileSync(file, 'utf8').includes('withSharedProgram()');

const rankOf = ({ moduleId }: TestSpecification): number => {
  const place = LONGEST.findIndex((name) => moduleId.endsWith(name));
  if (place !== -1) return place;
  return LONGEST.length + (isSharing(moduleId) ? 0 : 1);
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = (await super.sort(files)).map((file) => ({ file, rank: rankOf(file) }));
    return ranked.toSorted((one, other) => one.rank - other.rank).map(({ file }) => file);
  }
}

/** A busy machine takes its time: what is polled comes within this, or not at all. */
const expectOptions = { poll: { timeout: 30_000 } };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          globalSetup: 'exchange/src/testing/shared-postgres.ts',
          include: ['{core,api,services,clients,contracts,exchange,tools,bench,simulator,torture}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          expect: expectOptions,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'whole',
          include: WITHOUT_BROWSER,
          expect: expectOptions,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['exchange/e2e/**/*.e2e.ts'],
          globalSetup: 'exchange/e2e/shared-setup.ts',
          exclude: WITHOUT_BROWSER,
          expect: expectOptions,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
    maxWorkers: 2,
    // What a test that passed has printed only hides what one that failed has: of that, the seeds are named.
    silent: 'passed-only',
    reporters: ['default', './tools/printed-seeds.ts'],
    passWithNoTests: false,
  },
});
