import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [process.env['ORRERY_TESTS'] ?? 'core/{engine,rules}/src/**/*.test.ts'],
    // It tries the tests themselves, and replaces the rules to do so.
    exclude: ['**/planted-faults.test.ts'],
    testTimeout: 60_000,
    maxWorkers: 1,
    isolate: false,
  },
});
