import { defineConfig } from 'vitest/config';

/** Of the whole program, without a browser. */
const WITHOUT_BROWSER = ['exchange/e2e/{start,authorisation,malformed,timelock-kill}.e2e.ts', 'torture/src/**/*.e2e.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['{core,api,services,clients,contracts,exchange,tools,bench,simulator,torture}/**/*.test.{ts,tsx}'],
          exclude: ['**/node_modules/**', '**/dist/**'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'whole',
          include: WITHOUT_BROWSER,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['exchange/e2e/**/*.e2e.ts'],
          exclude: WITHOUT_BROWSER,
          testTimeout: 300_000,
          hookTimeout: 300_000,
          fileParallelism: false,
          // A busy machine may leave a browser without an answer for too long: then the report says `retry x1` beside the test.
          retry: 1,
        },
      },
    ],
    maxWorkers: 2,
    // What a test that passed has printed only hides what one that failed has.
    silent: 'passed-only',
    passWithNoTests: false,
  },
});
