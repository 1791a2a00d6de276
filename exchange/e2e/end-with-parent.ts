/**
 * Loaded before a program that a test starts: the program ends when the process that started it has, however that ended. The system closes
 * the other end of standard input then, also after kill -9.
 */
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.stdin.once('end', () => process.kill(process.pid, 'SIGTERM')).resume();
  // Only watched: a program that has nothing more to do ends.
  process.stdin.unref();
}
