export { openAccounts, type Accounts, type AccountsOptions } from './accounts.ts';
export { TEST_BLOCKED_ADDRESSES } from './blocked.ts';
export type { Terms } from './agreements.ts';
export { migrations, type AccountsTables } from './tables.ts';
