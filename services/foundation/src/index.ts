export { openAccount, setAccountFlag } from './account-commands.ts';
export { AccountDirectory } from './account-directory.ts';
export { countOfTable, countUpTo } from './count.ts';
export { statements } from './migration.ts';
export { offsetFault, type HistoryOffset, type JournalRange, whenFollowed } from './history-offset.ts';
export { type Changes, CHANNEL, CopyKeeper, type RowCopy, sendChanges } from './changes.ts';
export { HistoryReader, isToWrite, type PiecePlace } from './history-reader.ts';
export {
  checkHold,
  currentHold,
  type Hold,
  type Lease,
  LeaseLost,
  type LeasePort,
  localLease,
  localLeases,
  noLease,
  whileHeld,
} from './lease.ts';
export { Leases, type LeaseStore } from './leases.ts';
export { leaseMigrations, type LeaseTables, sqlLeases } from './lease-table.ts';
export { FencedPostgresDialect } from './fenced-dialect.ts';
export { repeat, type Repetition } from './repeat.ts';
export type { Peers } from './peers.ts';
export { Turns } from './turns.ts';
export { systemTimer, type Timer } from './timer.ts';
export { atPort, isLoopback, isTrustworthy } from './origin.ts';
export { LARGE_YOUNG, SMALL_YOUNG, threadsHaveTheirOwnLimits } from './thread-memory.ts';
export { answerQuestions, WorkerThread } from './worker-thread.ts';
