/** What a client of the contracts needs: no Node here, the terminal imports this too. */
export * from './generated/abi.ts';
export { NATIVE_TOKEN, withdrawalTypedData, type Withdrawal } from './withdrawal.ts';
export { CHAIN_ID, TEST_ASSETS, TEST_PAIRS, type TestAsset } from './assets.ts';
export { roleName } from './roles.ts';
export type { Deployment, DeployedToken } from './deployment.ts';
