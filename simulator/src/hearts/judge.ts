/** What must hold at the end, from what clients were answered, what programs reported, and what the store holds. */
import { createHash } from 'node:crypto';
import type { Applied } from '@orrery/protocol';
import { Replay } from '../../../services/sequencer/src/replay.ts';
import { entriesOf } from '../../../services/sequencer/src/entry.ts';
import { frameAt } from '../../../services/sequencer/src/frame.ts';
import type { Meters } from '../meters.ts';
import { Violation } from '../violation.ts';
import type { GatewayHost } from './gateway-host.ts';
import { ENGINES, type HeartHost } from './heart-host.ts';
import { type Asked, deposit, nameOf, type People } from './people.ts';
import type { Servers } from './servers.ts';
import type { Act, WorkerHost } from './worker-host.ts';
import { digestOf, type Witness } from './witness.ts';

export interface End {
  readonly hearts: readonly HeartHost[];
  readonly gateways: readonly GatewayHost[];
  readonly workers: readonly WorkerHost[];
  readonly acts: readonly Act[];
  readonly people: People;
  readonly witness: Witness;
  readonly servers: Servers;
}

/** @returns the hash of the state at the end of history. @throws Violation */
export function judge(end: End, meters: Meters): string {
  const { history, replay } = replayed(end.servers);
  meters.count('commands', history.length);
  judgeReports(history, end.witness);
  judgeAnswers(history, end.people, meters);
  judgeJobs(history, end, meters);
  const hash = createHash('sha256').update(replay.engine.encodeState()).digest('hex');
  judgeLiveness(end, replay, hash);
  return hash;
}

/** From the store alone, by an engine of its own. */
function replayed(servers: Servers): { readonly history: readonly Applied[]; readonly replay: Replay } {
  const replay = new Replay(ENGINES, undefined);
  const history: Applied[] = [];
  let epoch = 0;
  for (const stored of servers.newest.frames) {
    const frame = frameAt(stored.bytes, 0);
    const isNext = stored.firstSeq === history.length + 1 && stored.epoch >= epoch;
    must(
      frame !== undefined && isNext,
      'R7',
      `the frame of command ${stored.firstSeq} in epoch ${stored.epoch} follows command ${history.length}`,
    );
    ({ epoch } = stored);
    for (const entry of entriesOf(stored.bytes, frame)) {
      const applied = replay.take({ entry, file: 'the store', offset: stored.firstSeq });
      if (applied !== undefined) history.push(applied);
    }
  }
  return { history, replay };
}

/** What any program has reported is history. */
function judgeReports(history: readonly Applied[], { reported }: Witness): void {
  for (const [seq, digest] of reported) {
    const applied = history[seq - 1];
    must(
      applied !== undefined && digestOf(applied) === digest,
      'R7',
      `command ${seq} was reported, and history has ${what(applied)} there`,
    );
  }
}

function judgeAnswers(history: readonly Applied[], people: People, meters: Meters): void {
  must(people.shortEnds.length === 0, 'R9', people.shortEnds[0] ?? '');
  const places = new Map<string, Applied[]>();
  for (const applied of history) {
    const name = nameOf(applied.command);
    places.set(name, [...(places.get(name) ?? []), applied]);
  }
  for (const [name, asked] of people.asked) judgeAnswer(asked, places.get(name) ?? []);
  meters.count('commands asked for', people.asked.size);
  must(people.open === 0, 'liveness', `${people.open} calls are not answered after everything has healed`);
}

function judgeAnswer({ command, answered, unknown }: Asked, places: readonly Applied[]): void {
  for (const [seq, digest] of answered) {
    const found = places.find((applied) => applied.seq === seq);
    must(
      found !== undefined && digestOf(found) === digest,
      'R2',
      `${JSON.stringify(command, writable)} was answered as ${seq}, and is not history`,
    );
  }
  must(
    places.length <= answered.size + unknown,
    'R3',
    `a command is history ${places.length} times, which was answered ${answered.size} times and may have been taken ${unknown} times more`,
  );
  const effects = places.filter(({ events }) => events.some(({ type }) => type === 'DepositCredited' || type === 'OrderAccepted'));
  must(effects.length <= 1, 'R3', `${JSON.stringify(command, writable)} was taken ${effects.length} times`);
}

/** Each job once, one after another, by holders whose terms only grow. */
function judgeJobs(history: readonly Applied[], { acts, servers }: End, meters: Meters): void {
  const credited = new Map<string, number>();
  for (const { command, events } of history)
    for (const { type } of events) if (type === 'DepositCredited') credited.set(nameOf(command), (credited.get(nameOf(command)) ?? 0) + 1);
  for (const [job, { times: ended }] of servers.newest.jobs) {
    must(ended === 1, 'lease', `job ${job} was ended ${ended} times`);
    const times = credited.get(nameOf(deposit(`job:${job}`, 1))) ?? 0;
    must(times > 0, 'R2', `the command of job ${job} was answered, and is not history`);
    must(times === 1, 'R3', `the command of job ${job} was taken ${times} times`);
  }
  const holders = new Map<number, string>();
  let newest = 0;
  for (const { term, worker } of acts) {
    const holder = holders.get(term) ?? worker;
    holders.set(term, holder);
    must(term >= newest && holder === worker, 'lease', `${worker} acts under term ${term} after ${holder}, and after term ${newest}`);
    newest = term;
  }
  meters.count('terms', holders.size);
}

function judgeLiveness({ hearts, gateways, workers, servers }: End, replay: Replay, hash: string): void {
  const leading = hearts.find(({ heart }) => heart?.epoch === servers.newest.epoch)?.heart;
  must(leading !== undefined, 'liveness', 'no heart leads after everything has healed');
  const { seq, stateHash, stateHashSeq } = leading.status();
  must(seq === replay.seq, 'R7', `the heart that leads is at command ${seq}, and the store at ${replay.seq}`);
  must(
    stateHashSeq !== seq || stateHash === hash,
    'R1',
    `the heart that leads has another state at command ${seq} than the store leads to`,
  );
  const facts = JSON.stringify(replay.engine.facts(), writable);
  for (const { replica, machine } of gateways) {
    must(
      replica !== undefined && replica.seq === replay.seq,
      'liveness',
      `${machine.name} is at command ${replica?.seq ?? 'none'} of ${replay.seq}`,
    );
    const view = replica.open();
    view.close();
    must(JSON.stringify(view.facts, writable) === facts, 'R1', `${machine.name} has another state than the store leads to`);
  }
  must(workers.filter(({ holds }) => holds).length === 1, 'liveness', 'not one worker holds the lease after everything has healed');
}

function must(holds: boolean, invariant: string, sentence: string): asserts holds {
  if (!holds) throw new Violation(invariant, sentence);
}

const what = (applied: Applied | undefined): string => (applied === undefined ? 'nothing' : 'another one');

const writable = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? `${value}n` : value);
