export { openOperators, type Operators, type OperatorsOptions } from './operators.ts';
export type { CampaignOperations } from './ports.ts';
export { migrations, type OperatorsTables } from './tables.ts';
