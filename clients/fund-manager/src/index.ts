export { runFundManager, type FundManager, type ManagedFund } from './manager.ts';
export { MAKING } from './making.ts';
export { CARRY, carryStep, type CarryStep, type CarryView } from './carry-plan.ts';
