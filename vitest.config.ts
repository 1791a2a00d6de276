import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of the whole program, without a browser. */
const WITHOUT_BROWSER = [
  'exchange/e2e/{start,container,metrics,alerts,scans,fund-manager,fund-key,authorisation,malformed,timelock-kill,withdrawal-kill,otc-kill,otc-dispute-kill,fund-kill,old-client,sandbox,erasure,roles,two-gateways,two-gateways-authorisation,traces,backup}.e2e.ts',
  'torture/src/**/*.e2e.ts',
  'bench/src/**/*.e2e.ts',
];

/** What takes longest is begun first: begun last, it would be waited for alone. Seconds of a usual machine, of those of the whole program. */
const LONGEST: Readonly<Record<string, number>> = {
  'torture.e2e.ts': 900,
  'start.e2e.ts': 335,
  'otc.e2e.ts': 250,
  'otc-dispute-kill.e2e.ts': 200,
  'backup.e2e.ts': 165,
  'two-gateways-authorisation.e2e.ts': 155,
  'export-key.e2e.ts': 150,
  'points.e2e.ts': 150,
  'lucky-block.e2e.ts': 145,
  'claim-kill.e2e.ts': 130,
  'otc-desk.e2e.ts': 125,
  'year.e2e.ts': 120,
  'simulator/src/seeds.test.ts': 0,
  'gateway/src/fuzz.test.ts': 0,
  'engine.random.test.ts': 0,
  'stream/fuzz.test.ts': 0,
  'deposit.test.ts': 0,
  'reorganisation.test.ts': 0,
  'contracts.test.ts': 0,
};
const NAMES = Object.keys(LONGEST);
const USUAL_SECONDS = 75;

/** Files that share programs of one kind follow one another: between them a program would run for nobody. */
const SHARED = ['withSharedProgram()', 'withSharedQuietProgram()'];

/** @returns the place of the kind that the file shares; behind all where it shares none. */
function kindOf(file: string): number {
  const text = file.endsWith('.e2e.ts') ? readFileSync(file, 'utf8') : '';
  const kind = SHARED.findIndex((call) => text.includes(call));
  return kind === -1 ? SHARED.length : kind;
}

function rankOf({ moduleId }: TestSpecification): number {
  const place = NAMES.findIndex((name) => moduleId.endsWith(name));
  if (place !== -1) return place;
  return NAMES.length + kindOf(moduleId);
}

const secondsOf = ({ moduleId }: TestSpecification): number =>
  LONGEST[NAMES.find((name) => moduleId.endsWith(name)) ?? ''] ?? USUAL_SECONDS;

/** Both to their end at the same time: what is without a browser mostly waits, and browsers keep the processors busy. */
function interleaved(one: readonly TestSpecification[], other: readonly TestSpecification[]): TestSpecification[] {
  const placed = [one, other].flatMap((files) => {
    const total = files.reduce((sum, file) => sum + secondsOf(file), 0);
    let begun = 0;
    return files.map((file) => {
      const share = begun / total;
      begun += secondsOf(file);
      return { file, share };
    });
  });
  return placed.toSorted((left, right) => left.share - right.share).map(({ file }) => file);
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ranked = (await super.sort(files)).map((file) => ({ file, rank: rankOf(file) }));
    const inOrder = ranked.toSorted((one, other) => one.rank - other.rank).map(({ file }) => file);
    const isBrowser = ({ project }: TestSpecification): boolean => project.name === 'browser';
    return interleaved(
      inOrder.filter((file) => !isBrowser(file)),
      inOrder.filter(isBrowser),
    );
  }
}

/** Of a test of the whole program: several share the processors, and no test is to be judged by how slow a machine is. */
const WHOLE_MS = 600_000;

/** A busy machine takes its time: what is polled comes within this, or not at all. */
const expectOptions = { poll: { timeout: 30_000 } };
/** With whole programs and browsers beside each other it is busier still. */
const expectOfWhole = { poll: { timeout: 60_000 } };

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
          expect: expectOfWhole,
          testTimeout: WHOLE_MS,
          hookTimeout: WHOLE_MS,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['exchange/e2e/**/*.e2e.ts'],
          globalSetup: 'exchange/e2e/shared-setup.ts',
          exclude: WITHOUT_BROWSER,
          expect: expectOfWhole,
          testTimeout: WHOLE_MS,
          hookTimeout: WHOLE_MS,
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
