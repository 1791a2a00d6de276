/** A heart with the production engine and disk that plays a script: the clock says what the script says, all else is as in the program. */
import { createEngine, decodeState } from '@orrery/engine';
import type { HeartError, Sequenced } from '@orrery/protocol';
import { nodeDisk, openSequencer, type Sequencer, type SequencerLimits } from '@orrery/sequencer';

/** So small that a hundred commands fill segments, take snapshots and remove old ones. */
export const SMALL_LIMITS: SequencerLimits = {
  segmentBytes: 4_096,
  reserveBytes: 4_096,
  hashEvery: 10,
  snapshotEvery: 25,
  encodedBytesPerCommand: Infinity,
  pendingCommands: 1_000,
  recentCommands: 64,
  recentCommandsKept: 8,
  minFreeRatio: 0,
  dayOfJournalBytes: 1e9,
};

/** How many commands go together: alone, or as a group that shares a frame. */
const BURSTS = [1, 3, 1, 2];

export interface Player {
  readonly heart: Sequencer;
  /** Submits what history does not have yet, up to the command `last`. */
  play(last: number, onAck: (seq: number) => void): Promise<void>;
}

interface PlayerOptions {
  readonly directory: string;
  /** As of seq 1. */
  readonly commands: readonly Sequenced[];
  readonly onFatal?: (error: HeartError) => void;
  readonly log?: (line: string) => void;
  readonly limits?: Partial<SequencerLimits>;
}

export async function openPlayer(options: PlayerOptions): Promise<Player> {
  const { directory, commands, onFatal = refuseToGoOn, log = ignore, limits } = options;
  let now = 0;
  const heart = await openSequencer({
    directory,
    engines: { createEngine, decodeState },
    disk: nodeDisk,
    clock: { wallMs: () => now, monotonicMs: () => now },
    onFatal,
    log,
    limits: { ...SMALL_LIMITS, ...limits },
  });
  const submit = async ({ at, command }: Sequenced, onAck: (seq: number) => void): Promise<void> => {
    now = at;
    const receipt = await heart.submit(command);
    onAck(receipt.seq);
  };
  return {
    heart,
    async play(last, onAck) {
      for (let seq: number = heart.status().seq, burst = 0; seq < last; burst += 1) {
        const group = commands.slice(seq, Math.min(last, seq + (BURSTS[burst % BURSTS.length] ?? 1)));
        await Promise.all(group.map((sequenced) => submit(sequenced, onAck)));
        seq += group.length;
      }
    },
  };
}

function refuseToGoOn(error: HeartError): void {
  throw error;
}

const ignore = (): void => undefined;
