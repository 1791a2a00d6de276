export { countOfTable, countUpTo } from './count.ts';
export { statements } from './migration.ts';
export { offsetFault, type HistoryOffset, type JournalRange } from './history-offset.ts';
export { systemTimer, type Timer } from './timer.ts';
export { atPort, isLoopback, isTrustworthy } from './origin.ts';
