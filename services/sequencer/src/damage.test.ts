/** Files cut, flipped, zeroed and doubled: history comes back as a prefix of what was written, or not at all. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { frameAt, SEGMENT_HEADER_SIZE } from './frame.ts';
import type { Frame } from './frame.ts';
import { recover } from './recovery.ts';
import { nodeDisk } from './node-disk.ts';
import { fakeEngines, personAddress } from './testing/fake-engine.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';

const LIMITS = { segmentBytes: 2_048, reserveBytes: 2_048, snapshotEvery: 1_000_000, hashEvery: 4 };
const GROUPS = [1, 2, 1, 3, 1, 1, 2, 1, 1, 3];

let folder: string;
/** State hash after each command. */
let hashes: Map<number, string>;

beforeEach(async () => {
  folder = newFolder();
  hashes = new Map();
  await grow(GROUPS);
});
afterEach(removeFolders);

/** Writes one frame per number, with that number of commands, and leaves without a snapshot, as a killed process does. */
async function grow(groups: readonly number[]): Promise<void> {
  const { heart } = await openHeart(folder, { limits: LIMITS });
  let person: number = heart.status().seq;
  for (const size of groups) {
    const group = Array.from({ length: size }, () => heart.submit({ type: 'OpenAccount', address: personAddress((person += 1)) }));
    await Promise.all(group);
  }
  await heart.stop();
  rmSync(join(folder, 'snapshots'), { recursive: true });
}

const segments = (): readonly string[] =>
  readdirSync(join(folder, 'journal'))
    .filter((name) => name.endsWith('.segment'))
    .sort();
const pathOf = (name: string | undefined): string => join(folder, 'journal', name ?? '');

function framesOf(bytes: Uint8Array): readonly Frame[] {
  const frames: Frame[] = [];
  for (let frame = frameAt(bytes, SEGMENT_HEADER_SIZE); frame !== undefined; frame = frameAt(bytes, frame.end)) frames.push(frame);
  return frames;
}

interface Outcome {
  readonly seq: number;
  readonly hash: string;
  readonly refusal: string;
}

/** What recovery makes of the files as they are now. */
function recovered(): Outcome {
  nodeDisk.makeDirectory(join(folder, 'snapshots'));
  try {
    const { replay } = recover({ disk: nodeDisk, directory: folder, engines: fakeEngines, log: () => undefined }, () => undefined);
    return { seq: replay.seq, hash: Buffer.from(replay.engine.encodeState()).toString(), refusal: '' };
  } catch (cause) {
    return { seq: -1, hash: '', refusal: String(cause) };
  }
}

/** The state that the first `seq` commands lead to, by the untouched files. */
function fillHashes(): number {
  const last = recovered().seq;
  const name = segments().at(-1);
  const whole = readFileSync(pathOf(name));
  const bytes = Uint8Array.from(whole);
  hashes.set(last, recovered().hash);
  for (const frame of framesOf(whole).toReversed()) {
    bytes.fill(0, frame.offset, frame.end);
    writeFileSync(pathOf(name), bytes);
    const { seq, hash } = recovered();
    hashes.set(seq, hash);
  }
  writeFileSync(pathOf(name), whole);
  return last;
}

/** A prefix of what was written, never anything else; or a refusal that names file and offset. */
function expectPrefixOrRefusal({ seq, hash, refusal }: Outcome, what: string): void {
  if (refusal !== '') expect(refusal, what).toMatch(/the journal is damaged: .+\.segment at offset [0-9]+: /);
  else expect(hash, what).toBe(hashes.get(seq));
}

test('the last groups cut off at every byte: the groups before are recovered, and history goes on from there', async () => {
  const last = fillHashes();
  const name = segments().at(-1);
  const whole = readFileSync(pathOf(name));
  const frames = framesOf(whole);
  const from = frames.at(-4)?.offset ?? 0;
  const end = frames.at(-1)?.end ?? 0;
  expect(end - from).toBeGreaterThan(200);
  for (let cut = from; cut < end; cut += 1) {
    const bytes = Uint8Array.from(whole).fill(0, cut);
    writeFileSync(pathOf(name), bytes);
    const outcome = recovered();
    expect(outcome.refusal).toBe('');
    const kept = frames.filter(
      (frame) => frame.bodyEnd <= cut || (whole.subarray(cut, frame.bodyEnd).every((byte) => byte === 0) && frame.offset < cut),
    );
    expect(outcome.seq, `cut at ${cut}`).toBe(
      kept.reduce((seq, frame) => frame.firstSeq + frame.commands - 1, (frames[0]?.firstSeq ?? 1) - 1),
    );
    expect(outcome.hash).toBe(hashes.get(outcome.seq));
  }
  // Truncated for real, not only zeroed, and then gone on from.
  writeFileSync(pathOf(name), whole.subarray(0, end - 9));
  await grow([1, 1]);
  expect(recovered().seq).toBe(last - (frames.at(-1)?.commands ?? 0) + 2);
});

test('a file cut off within the zeros that fill its last frame up keeps that frame, at the next start and the one after', async () => {
  const name = segments().at(-1);
  const whole = readFileSync(pathOf(name));
  const final = framesOf(whole).findLast(({ bodyEnd, end }) => end - bodyEnd > 1);
  if (final === undefined) throw new Error('there is a frame that is filled up');
  const kept = final.firstSeq + final.commands - 1;
  writeFileSync(pathOf(name), whole.subarray(0, final.bodyEnd + 1));
  await grow([1]);
  expect(recovered()).toMatchObject({ seq: kept + 1, refusal: '' });
});

test('a byte flipped anywhere in the last segment: a prefix or a refusal that names the place', () => {
  fillHashes();
  const name = segments().at(-1);
  const whole = readFileSync(pathOf(name));
  const last = framesOf(whole).at(-1);
  for (let offset = 0; offset < whole.length; offset += 1) {
    const bytes = Uint8Array.from(whole);
    bytes[offset] = (bytes[offset] ?? 0) ^ (1 << (offset % 8));
    writeFileSync(pathOf(name), bytes);
    const outcome = recovered();
    expectPrefixOrRefusal(outcome, `flip at ${offset}`);
    // Only the last frame may be taken for a torn one: any other is known to have been durable.
    if (last !== undefined && offset < last.offset) expect(outcome.refusal, `flip at ${offset}`).not.toBe('');
  }
});

test('a byte flipped anywhere in a sealed segment is refused', async () => {
  await grow(Array.from({ length: 30 }, () => 2));
  expect(segments().length).toBeGreaterThan(1);
  const name = segments()[0];
  const whole = readFileSync(pathOf(name));
  for (let offset = 0; offset < whole.length; offset += 1) {
    const bytes = Uint8Array.from(whole);
    bytes[offset] = (bytes[offset] ?? 0) ^ 0x10;
    writeFileSync(pathOf(name), bytes);
    expect(recovered().refusal, `flip at ${offset}`).toMatch(/the journal is damaged: .+\.segment at offset [0-9]+: /);
  }
});

test('a missing segment is refused', async () => {
  await grow(Array.from({ length: 60 }, () => 2));
  const [first, second] = segments();
  rmSync(pathOf(second));
  expect(recovered().refusal).toContain('history goes on with');
  rmSync(pathOf(first));
  expect(recovered().refusal).toContain('command 1 was expected here');
});

test('the last block written twice, junk behind the end and a zeroed frame in the middle', () => {
  const last = fillHashes();
  const name = segments().at(-1);
  const whole = readFileSync(pathOf(name));
  const frames = framesOf(whole);
  const final = frames.at(-1);
  const middle = frames.at(-3);
  if (final === undefined || middle === undefined) throw new Error('there are frames');
  const doubled = Uint8Array.from(whole);
  doubled.set(whole.subarray(final.offset, final.end), final.end);
  writeFileSync(pathOf(name), doubled);
  expect(recovered()).toMatchObject({ seq: last, refusal: '' });
  const junk = Uint8Array.from(whole).fill(0xa5, final.end, final.end + 300);
  writeFileSync(pathOf(name), junk);
  expect(recovered()).toMatchObject({ seq: last, refusal: '' });
  const zeroed = Uint8Array.from(whole).fill(0, middle.offset, middle.end);
  writeFileSync(pathOf(name), zeroed);
  expect(recovered().refusal).toContain(`at offset ${middle.offset}: a bad frame, and a good one behind it`);
});

test('a torn group is wiped, so that nothing of it can come back behind later history', async () => {
  const name = segments().at(-1);
  const whole = readFileSync(pathOf(name));
  const final = framesOf(whole).at(-1);
  if (final === undefined) throw new Error('there are frames');
  const bytes = Uint8Array.from(whole);
  bytes[final.bodyStart] = 0xff;
  writeFileSync(pathOf(name), bytes);
  const { heart, lines } = await openHeart(folder, { limits: LIMITS });
  expect(lines).toEqual([expect.stringContaining(`torn group of`)]);
  expect(heart.status().seq).toBe(final.firstSeq - 1);
  expect(
    readFileSync(pathOf(segments().at(-1)))
      .subarray(final.offset)
      .every((byte) => byte === 0),
  ).toBe(true);
  await heart.stop();
});

test('a damaged snapshot is passed over for the one before it, and without any the whole history is replayed', async () => {
  rmSync(folder, { recursive: true });
  const { heart } = await openHeart(folder, { limits: { snapshotEvery: 10 } });
  for (let person = 1; person <= 25; person += 1) await heart.submit({ type: 'OpenAccount', address: personAddress(person) });
  await heart.stop();
  const { stateHash } = heart.status();
  const names = (): readonly string[] => readdirSync(join(folder, 'snapshots')).sort();
  expect(names()).toHaveLength(2);
  const copy = newFolder();
  for (const offset of [0, 9, 13, 25, 40, 70, 80, 200]) {
    cpSync(folder, copy, { recursive: true });
    for (const damaged of [names().slice(1), names()]) {
      for (const name of damaged) {
        const bytes = readFileSync(join(folder, 'snapshots', name));
        bytes[offset] = (bytes[offset] ?? 0) ^ 1;
        writeFileSync(join(copy, 'snapshots', name), bytes);
      }
      const reopened = await openHeart(copy);
      expect(reopened.heart.status()).toMatchObject({ seq: 25, stateHash });
      expect(reopened.lines).toHaveLength(damaged.length);
      await reopened.heart.stop();
      rmSync(copy, { recursive: true });
      cpSync(folder, copy, { recursive: true });
    }
  }
});

test('a snapshot that is ahead of the journal is refused: acknowledged history is missing', async () => {
  const { heart } = await openHeart(folder, { limits: LIMITS });
  await heart.stop();
  const name = segments().at(-1);
  const bytes = readFileSync(pathOf(name));
  const final = framesOf(bytes).at(-1);
  bytes.fill(0, final?.offset);
  writeFileSync(pathOf(name), bytes);
  expect(recovered().refusal).toContain('there is a snapshot of command 16');
});

test('a program that reaches another state than the journal proves is refused', async () => {
  const other = {
    ...fakeEngines,
    createEngine: () => {
      const engine = fakeEngines.createEngine();
      return {
        apply: engine.apply.bind(engine),
        facts: engine.facts.bind(engine),
        takeRunningHash: engine.takeRunningHash.bind(engine),
        imbalance: engine.imbalance.bind(engine),
        continuation: engine.continuation.bind(engine),
        due: engine.due.bind(engine),
        mustWait: engine.mustWait.bind(engine),
        stateLayouts: engine.stateLayouts.bind(engine),
        encodeState: () => new Uint8Array([...engine.encodeState(), 32]),
      };
    },
  };
  await expect(openHeart(folder, { engines: other })).rejects.toThrow('replay reaches another state than the journal proves at command 4');
});
