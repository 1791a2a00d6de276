/**
 * A heart of several on one journal, made to be killed: `node ready-heart.ts <options as JSON>`. It follows until it may lead. Reports to its parent, line by line:
 * `following`, `leading <epoch>`, `ended <why>`.
 */
import { writeSync } from 'node:fs';
import { createEngine, decodeState } from '@orrery/engine';
import { nodeDisk, openReplicated } from '@orrery/sequencer';
import { PostgresStore } from '../../../exchange/src/journal/postgres-store.ts';
import { HeartServer } from '../../../exchange/src/link/heart-server.ts';
import { connectNats } from '../../../exchange/src/link/nats.ts';

export interface ReadyHeartOptions {
  readonly directory: string;
  /** URLs of the servers of the store. */
  readonly journals: readonly string[];
  /** URLs of NATS. */
  readonly events: string;
  readonly prefix: string;
  /** How far the wall clock of this machine is from that of the others, in milliseconds. */
  readonly clockOffMs: number;
}

const { directory, journals, events, prefix, clockOffMs } = JSON.parse(process.argv[2] ?? '{}') as ReadyHeartOptions;

const say = (line: string): void => void writeSync(1, `${line}\n`);
const log = (line: string): void => void writeSync(2, `${line}\n`);

function end(why: unknown): never {
  say(`ended ${why instanceof Error ? why.message : String(why)}`);
  process.exit(1);
}

const connection = await connectNats(events, 'heart').catch(end);
const store = await PostgresStore.open({ urls: journals, withoutStandby: 'cancel-only', onNoStandby: end, log }).catch(end);
let led = 0;
const heart = await openReplicated({
  directory,
  store,
  engines: { createEngine, decodeState },
  disk: nodeDisk,
  clock: { wallMs: () => Date.now() + clockOffMs, monotonicMs: () => performance.now() },
  onFatal: end,
  log,
  onFollowing: () => say('following'),
  onLeading: (epoch) => {
    led = epoch;
  },
  limits: { segmentBytes: 1 << 20, reserveBytes: 1 << 20, minFreeRatio: 0 },
}).catch(end);
const server = new HeartServer({ heart, connection, prefix, epoch: led, onTrouble: (error) => log(String(error)) });
server.beat();
say(`leading ${led}`);
