/**
 * Makes the hashes and snapshots of whole states where nobody waits for an answer: beside a replay that follows the journal. The running hashes of the
 * journal, which the replay compares, prove that it is the state that the matching side has.
 */
import { ReplayDiffers } from './damage.ts';
import type { Disk } from './disk.ts';
import { stateHash } from './engine-factory.ts';
import type { SequencerLimits } from './options.ts';
import type { Replay } from './replay.ts';
import { saveSnapshot } from './snapshot.ts';

export interface StateProof {
  /** The last command in the state. */
  readonly seq: number;
  /** SHA-256 of the state in its newest layout. */
  readonly hash: Uint8Array;
}

export interface ProverOptions {
  readonly disk: Disk;
  /** Where snapshots are kept. */
  readonly directory: string;
  readonly limits: Pick<SequencerLimits, 'hashEvery' | 'snapshotEvery' | 'encodedBytesPerCommand'>;
  readonly monotonicMs: () => number;
  readonly onProof: (proof: StateProof) => void;
  readonly log: (line: string) => void;
}

/** A state that is proved while nothing else happens is proved again after this at the earliest. */
const IDLE_MS = 1_000;
/** After a proof, no proof is made for this many times its duration: proofs take a twentieth of the time at most. */
const REST = 20;

export class Prover {
  readonly #options: ProverOptions;
  #last = { seq: 0, bytes: 0, endedAtMs: Number.NEGATIVE_INFINITY, tookMs: 0 };
  #snapshotSeq: number;

  /** @param snapshotSeq of the newest snapshot that is kept already */
  constructor(options: ProverOptions, snapshotSeq: number) {
    this.#options = options;
    this.#snapshotSeq = snapshotSeq;
  }

  /** Proves the state of the replay when enough commands have come since the last proof. */
  async proveWhenDue(replay: Replay): Promise<void> {
    const { hashEvery, encodedBytesPerCommand } = this.#options.limits;
    const commands = replay.seq - this.#last.seq;
    if (commands < hashEvery || commands * encodedBytesPerCommand < this.#last.bytes || this.#restMs(0) > 0) return;
    await this.#prove(replay);
  }

  /** When the state of a replay that has nothing to read may be proved, in milliseconds from now; undefined when it is proved already. */
  idleProofInMs(replay: Replay): number | undefined {
    return replay.seq === this.#last.seq ? undefined : Math.max(0, this.#restMs(IDLE_MS));
  }

  /** Proves the state of a replay that has nothing to read. */
  async proveIdle(replay: Replay): Promise<void> {
    if (this.idleProofInMs(replay) === 0) await this.#prove(replay);
  }

  #restMs(atLeast: number): number {
    const { endedAtMs, tookMs } = this.#last;
    return endedAtMs + Math.max(atLeast, REST * tookMs) - this.#options.monotonicMs();
  }

  /** @throws ReplayDiffers when the balances do not sum to zero (M1) */
  async #prove(replay: Replay): Promise<void> {
    const { monotonicMs, onProof } = this.#options;
    const { seq, at, engine } = replay;
    const startedAtMs = monotonicMs();
    const imbalance = engine.imbalance();
    if (imbalance !== undefined) throw new ReplayDiffers(`after command ${seq} ${imbalance}`);
    const state = engine.encodeState();
    const hash = stateHash(state);
    const endedAtMs = monotonicMs();
    this.#last = { seq, bytes: state.length, endedAtMs, tookMs: endedAtMs - startedAtMs };
    onProof({ seq, hash });
    if (seq - this.#snapshotSeq >= this.#options.limits.snapshotEvery) await this.#keep({ seq, at, hash, state });
  }

  /** A snapshot only shortens the next start: without it history is longer, not poorer. */
  async #keep(snapshot: Parameters<typeof saveSnapshot>[2]): Promise<void> {
    const { disk, directory, log } = this.#options;
    try {
      await saveSnapshot(disk, directory, snapshot);
      this.#snapshotSeq = snapshot.seq;
    } catch (cause) {
      log(`the snapshot of command ${snapshot.seq} could not be kept: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }
}
