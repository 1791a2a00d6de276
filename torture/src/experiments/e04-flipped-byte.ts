/** E4: a byte flipped in a part of the journal that is known to be whole: a segment that later ones stand behind. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createEngine, decodeState } from '@orrery/engine';
import { HistoryDamaged } from '@orrery/sequencer';
import { verifyFolder } from '@orrery/sequencer/verify';
import { SEGMENT_HEADER_SIZE } from '../../../services/sequencer/src/frame.ts';
import type { Experiment } from '../experiment.ts';
import { inMemory } from '../folder.ts';
import { openPlayer } from '../heart/player.ts';
import { OPENING, writeCommands } from '../heart/script.ts';
import { readSegments, type SegmentFile } from '../heart/segments.ts';

const PLAYED = { small: OPENING + 100, large: OPENING + 1_000 };
/** Which of its bits are flipped, one after the other. */
const BITS = { small: [4], large: [0, 1, 2, 3, 4, 5, 6, 7] };
const SEGMENTS = { small: 1, large: 2 };
/** From one flipped byte to the next; the seed decides with which to begin. */
const STRIDE = { small: 2, large: 1 };

export const flippedByte: Experiment = {
  id: 'E4',
  title: 'byte flipped in a sealed segment',
  mustHold: 'the start and the replay are refused, and name the file and the place',
  async run({ dose, seed, say }) {
    return inMemory(async (folder) => {
      const directory = join(folder, 'history');
      const player = await openPlayer({ directory, commands: writeCommands(seed, PLAYED[dose]) });
      await player.play(PLAYED[dose], () => undefined);
      await player.heart.stop();
      const sealed = readSegments(directory).slice(0, -1).slice(0, SEGMENTS[dose]);
      if (sealed.length === 0) throw new Error('no segment is sealed');
      // A start looks only at what its snapshot does not cover: without one, at everything.
      const bare = join(folder, 'bare');
      cpSync(directory, bare, { recursive: true });
      rmSync(join(bare, 'snapshots'), { recursive: true });
      const violations: string[] = [];
      let trials = 0;
      for (const segment of sealed) {
        say(`${segment.bytes.length} bytes of ${basename(segment.path)}`);
        for (let offset = seed % STRIDE[dose]; offset < segment.bytes.length; offset += STRIDE[dose]) {
          for (const bit of BITS[dose]) {
            violations.push(...(await flip({ segment, offset, bit, directory, bare })));
            trials += 1;
          }
        }
      }
      return { trials, facts: { segments: sealed.length }, violations: violations.map((line) => `${line} (seed ${seed})`) };
    });
  },
};

interface Flip {
  readonly segment: SegmentFile;
  readonly offset: number;
  readonly bit: number;
  /** With snapshots. */
  readonly directory: string;
  readonly bare: string;
}

async function flip({ segment, offset, bit, directory, bare }: Flip): Promise<readonly string[]> {
  const flipped = Uint8Array.from(segment.bytes);
  flipped[offset] = (flipped[offset] ?? 0) ^ (1 << bit);
  const inBare = join(bare, segment.path.slice(directory.length));
  writeFileSync(segment.path, flipped);
  writeFileSync(inBare, flipped);
  const refusals = [
    { of: 'the start', path: inBare, cause: await failureOf(() => start(bare)) },
    { of: 'the replay', path: segment.path, cause: await failureOf(() => verifyFolder(directory, { createEngine, decodeState })) },
  ];
  writeFileSync(segment.path, segment.bytes);
  writeFileSync(inBare, segment.bytes);
  const place = placeOf(segment, offset);
  return refusals.flatMap(({ of, path, cause }) => {
    const what = `bit ${bit} of byte ${offset}: ${of}`;
    if (!(cause instanceof HistoryDamaged)) return [`${what} was not refused as damaged, but: ${String(cause)}`];
    if (cause.file === path && cause.offset === place) return [];
    return [`${what} names ${cause.file} at offset ${cause.offset}, and it is ${path} at offset ${place}`];
  });
}

/** Where a reader must stop: at the header, at the frame, or where the frames end. */
function placeOf({ frames }: SegmentFile, offset: number): number {
  if (offset < SEGMENT_HEADER_SIZE) return 0;
  const frame = frames.find(({ end }) => offset < end);
  return frame?.offset ?? frames.at(-1)?.end ?? SEGMENT_HEADER_SIZE;
}

async function start(directory: string): Promise<void> {
  const { heart } = await openPlayer({ directory, commands: [] });
  await heart.stop();
}

/** What it throws; nothing when it succeeds. */
async function failureOf(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (cause) {
    return cause;
  }
  return undefined;
}
