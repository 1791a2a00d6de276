/** What the program needs of its heart beside the port: of the one that runs in this process, and of one in another. */
import type { Heart } from '@orrery/protocol';
import type { StateProof } from '@orrery/sequencer';

export interface HistoryTime {
  /** The time of history, unix milliseconds: the wall clock while it is plausible. Whatever has a term goes by it. */
  nowMs(): number;
}

export interface HeartReadiness {
  /** Why not every command can be taken, in one sentence. */
  unready(): string | undefined;
}

export interface HeartPending {
  /** Commands that are taken and not answered. */
  readonly pending: number;
}

export interface ProofTaker {
  /** A follower of the journal has made the hash of a durable state. */
  acceptProof(proof: StateProof): void;
}

export interface ProgramHeart extends Heart, HistoryTime, HeartReadiness, HeartPending, ProofTaker {}

/** The same heart, which takes commands by `submit`. */
export const submittingBy = (heart: ProgramHeart, submit: ProgramHeart['submit']): ProgramHeart => ({
  submit,
  open: () => heart.open(),
  subscribe: (after) => heart.subscribe(after),
  status: () => heart.status(),
  end: () => heart.end(),
  nowMs: () => heart.nowMs(),
  unready: () => heart.unready(),
  get pending() {
    return heart.pending;
  },
  acceptProof: (proof) => heart.acceptProof(proof),
});
