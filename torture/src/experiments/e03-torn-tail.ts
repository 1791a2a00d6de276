/** E3: the end of the journal as a crash of the machine may leave it: cut, full of junk, zeroed, written twice. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { isZero, SEGMENT_HEADER_SIZE } from '../../../services/sequencer/src/frame.ts';
import { atOnce } from '../at-once.ts';
import type { Experiment } from '../experiment.ts';
import { inMemory } from '../folder.ts';
import { openPlayer } from '../heart/player.ts';
import { checkRecovered } from '../heart/recovered.ts';
import { OPENING, writeScript, type Script } from '../heart/script.ts';
import { lastSeqOf, readSegments, type SegmentFile } from '../heart/segments.ts';

const PLAYED = OPENING + 80;
/** Everything in one segment, of more than one page. */
const SEGMENT_BYTES = 16_384;
/** Played after each recovery, so that history is seen to go on. */
const AFTERWARDS = 5;
const RECORDS = { small: 5, large: 40 };
const RANDOM = { small: 50, large: 10_000 };
const PAGE = 4_096;
const AT_ONCE = 4;

interface Torn {
  readonly what: string;
  readonly bytes: Uint8Array;
}

interface Bench {
  readonly before: string;
  readonly script: Script;
  readonly last: SegmentFile;
}

export const tornTail: Experiment = {
  id: 'E3',
  title: 'torn tail of the journal',
  mustHold: 'every whole group before the tear is recovered, nothing else is, and history goes on',
  async run({ dose, seed, say }) {
    return inMemory(async (folder) => {
      const before = join(folder, 'history');
      const script = writeScript(seed, PLAYED + AFTERWARDS);
      const player = await openPlayer({ directory: before, commands: script.commands, limits: { segmentBytes: SEGMENT_BYTES } });
      await player.play(PLAYED, () => undefined);
      await player.heart.stop();
      // What a stop in peace leaves and a crash does not.
      rmSync(join(before, 'snapshots'), { recursive: true });
      const last = readSegments(before).at(-1);
      if (last === undefined) throw new Error('there is a segment');
      const bench: Bench = { before, script, last };
      const torn = [...cuts(last, RECORDS[dose]), ...strange(last), ...randomly(last, seed, RANDOM[dose])];
      say(`${torn.length} torn tails`);
      const found = await atOnce(AT_ONCE, torn, (one, index) => {
        if (index % 1_000 === 999) say(`${index + 1} of ${torn.length}`);
        return tryTorn(bench, one);
      });
      const slowest = Math.max(...found.map(({ startMs }) => startMs));
      const violations = found.flatMap((one) => one.violations).map((line) => `${line} (seed ${seed})`);
      return { trials: torn.length, facts: { 'slowest start, ms': Math.round(slowest) }, violations };
    });
  },
};

async function tryTorn(
  { before, script, last }: Bench,
  { what, bytes }: Torn,
): Promise<{ startMs: number; violations: readonly string[] }> {
  return inMemory(async (folder) => {
    const directory = join(folder, 'history');
    cpSync(before, directory, { recursive: true });
    writeFileSync(join(directory, last.path.slice(before.length)), bytes);
    const whole = wholeUpTo(last, bytes);
    const { seq, startMs, violations } = await checkRecovered({ directory, script, acked: whole, what });
    return {
      startMs,
      violations: seq === whole ? violations : [...violations, `${what}: command ${whole} was whole, and ${seq} is the last`],
    };
  });
}

/** The last command of those frames that stand as they were written, up to the first that does not. */
function wholeUpTo({ bytes: written, frames }: SegmentFile, bytes: Uint8Array): number {
  const torn = frames.find(({ offset, bodyEnd, end }) => {
    const isSame = Buffer.compare(bytes.subarray(offset, bodyEnd), written.subarray(offset, bodyEnd)) === 0;
    return !isSame || !isZero(bytes, bodyEnd, Math.min(end, bytes.length));
  });
  const final = frames.at(-1);
  if (torn !== undefined) return torn.firstSeq - 1;
  return final === undefined ? 0 : lastSeqOf(final);
}

/** At each byte of the last records: once with zeros behind, as in a file that was prepared, and once with nothing behind. */
function* cuts({ bytes, frames }: SegmentFile, records: number): Generator<Torn> {
  const end = frames.at(-1)?.end ?? 0;
  for (let cut = frames.at(-records)?.offset ?? SEGMENT_HEADER_SIZE; cut < end; cut += 1) {
    yield { what: `zeros from ${cut}`, bytes: Uint8Array.from(bytes).fill(0, cut) };
    yield { what: `cut off at ${cut}`, bytes: bytes.slice(0, cut) };
  }
}

function* strange({ bytes, frames }: SegmentFile): Generator<Torn> {
  const final = frames.at(-1);
  if (final === undefined) return;
  const page = Math.max(SEGMENT_HEADER_SIZE, final.end - PAGE);
  yield { what: 'the last 4 KiB zeroed', bytes: Uint8Array.from(bytes).fill(0, page) };
  yield { what: 'everything but the header zeroed', bytes: Uint8Array.from(bytes).fill(0, SEGMENT_HEADER_SIZE) };
  yield { what: 'the last frame written twice', bytes: withCopy(bytes, { from: final.offset, to: final.end, at: final.end }) };
  yield { what: 'the last blocks written twice', bytes: withCopy(bytes, { from: page, to: final.end, at: final.end }) };
}

function withCopy(bytes: Uint8Array, { from, to, at }: { from: number; to: number; at: number }): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy.set(bytes.subarray(from, Math.min(to, from + copy.length - at)), at);
  return copy;
}

/** Junk behind the end, or over a part of the last frame and behind it. */
function* randomly({ bytes, frames }: SegmentFile, seed: number, count: number): Generator<Torn> {
  const chance = new Chance(seed);
  const final = frames.at(-1);
  if (final === undefined) return;
  for (let index = 0; index < count; index += 1) {
    const from = chance.between(final.offset, final.end + 8);
    const to = chance.between(from, Math.min(bytes.length, final.end + 300));
    const torn = Uint8Array.from(bytes);
    for (let offset = from; offset < to; offset += 1) torn[offset] = chance.below(256);
    yield { what: `junk from ${from} to ${to}, the ${index}-th`, bytes: torn };
  }
}
