/** Every experiment, by number. */
import type { Experiment } from '../experiment.ts';
import { killNine } from './e01-kill-nine.ts';
import { killAtEveryCall } from './e02-kill-at-every-call.ts';
import { tornTail } from './e03-torn-tail.ts';
import { flippedByte } from './e04-flipped-byte.ts';
import { failingDisk } from './e05-failing-disk.ts';
import { fullDisk } from './e06-full-disk.ts';
import { slowDisk } from './e07-slow-disk.ts';
import { deadDatabase } from './e09-dead-database.ts';
import { lyingNode } from './e10-lying-node.ts';
import { reorganisation } from './e11-reorganisation.ts';
import { jumpingClock } from './e12-jumping-clock.ts';
import { slowReaders } from './e13-slow-readers.ts';
import { brokenWires } from './e14-broken-wires.ts';
import { pausedWriter } from './e16-paused-writer.ts';
import { secondEngine } from './e17-second-engine.ts';
import { smallMemory } from './e18-small-memory.ts';
import { poisonCommand } from './e19-poison-command.ts';
import { goldenJournals } from './e20-golden-journals.ts';
import { wrongPrices } from './e22-wrong-prices.ts';
import { lostTransactions } from './e24-lost-transactions.ts';
import { hostileNeighbours } from './e25-hostile-neighbours.ts';
import { hostileKeys } from './e26-hostile-keys.ts';
import { heartsThatTakeOver } from './e27-hearts-that-take-over.ts';
import { manyGateways } from './e28-many-gateways.ts';
import { rollingVersions } from './e29-rolling-versions.ts';
import { failOverBehindGateways } from './e30-fail-over-behind-gateways.ts';
import { smallProduction } from './e31-small-production.ts';

export const EXPERIMENTS: readonly Experiment[] = [
  killNine,
  killAtEveryCall,
  tornTail,
  flippedByte,
  failingDisk,
  fullDisk,
  slowDisk,
  deadDatabase,
  lyingNode,
  reorganisation,
  jumpingClock,
  slowReaders,
  brokenWires,
  pausedWriter,
  secondEngine,
  smallMemory,
  poisonCommand,
  goldenJournals,
  wrongPrices,
  lostTransactions,
  hostileNeighbours,
  hostileKeys,
  heartsThatTakeOver,
  manyGateways,
  rollingVersions,
  failOverBehindGateways,
  smallProduction,
];
