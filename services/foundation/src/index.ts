export { openAccount, setAccountFlag } from './account-commands.ts';
export { AccountDirectory } from './account-directory.ts';
export { countOfTable, countUpTo } from './count.ts';
export { statements } from './migration.ts';
export { offsetFault, type HistoryOffset, type JournalRange } from './history-offset.ts';
export { Turns } from './turns.ts';
export { systemTimer, type Timer } from './timer.ts';
export { atPort, isLoopback, isTrustworthy } from './origin.ts';
export { answerQuestions, WorkerThread } from './worker-thread.ts';
