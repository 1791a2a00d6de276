/** Imported before a program: its wall clock is ahead by `ORRERY_TEST_LATER_MS` milliseconds, as if this time had passed while it did not run. */
const now = Date.now.bind(Date);
const ahead = Number(new URL(import.meta.url).searchParams.get('ms') ?? process.env['ORRERY_TEST_LATER_MS']);
Date.now = () => now() + ahead;
