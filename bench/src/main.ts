/** `npm run bench`: everything that claims speed, measured in one run beside something bare; `--json` prints one object. */
import { cpus } from 'node:os';
import { compareBooks, printBookComparison } from './book.ts';
import { compareDoors, printDoors } from './door.ts';
import { measureEngine, printEngineMeasure } from './engine.ts';
import { measureJournal, printJournal } from './journal.ts';

const asJson = process.argv.includes('--json');
const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

say(`${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}`);
say('the book');
const book = compareBooks();
if (!asJson) printBookComparison(book);
say('the engine');
const engine = measureEngine();
if (!asJson) printEngineMeasure(engine);
say('the journal');
const journal = await measureJournal();
if (!asJson) printJournal(journal);
say('the whole program, through its door');
const door = await compareDoors();
if (!asJson) printDoors(door);

if (asJson) {
  console.log(
    JSON.stringify({
      book: { opsPerSec: book.own.operationsPerSecond, timesNodejsOrderBook: book.ratio },
      deep: { opsPerSec: book.deep.operationsPerSecond },
      engine: {
        ordersPerSec: engine.commandsPerSecond * engine.orderShare,
        commandsPerSec: engine.commandsPerSecond,
        encodedPerSec: engine.encodedPerSecond,
      },
      journal,
      http: {
        ordersPerSec: door.http.orders.perSecond,
        ratio: door.http.ratio,
        p50Ms: door.http.orders.p50Ms,
        p99Ms: door.http.orders.p99Ms,
      },
      ws: { ordersPerSec: door.ws.orders.perSecond, ratio: door.ws.ratio, p50Ms: door.ws.orders.p50Ms, p99Ms: door.ws.orders.p99Ms },
    }),
  );
}
