export { operatorsService, type Operators } from './operators.ts';
export type { CampaignOperations } from './ports.ts';
export type { OperatorsTables } from './tables.ts';
