/** For tests: a program that runs the database in the folder it is given until it is killed. Prints how to reach it. */
import { startPostgres } from '../postgres.ts';

const directory = process.argv[2] ?? '';
const server = await startPostgres({ directory });
process.once('SIGHUP', () => process.exit(1));
process.once('SIGUSR2', () => {
  throw new Error('nobody catches this');
});
process.once('SIGTERM', () => void server.stop());
process.stdout.write(`${JSON.stringify({ connection: server.connection, pid: server.pid() })}\n`);
