import { type CaptchaAction, type ProofOfWork } from '@orrery/api';
/** About 0.4 s of a laptop. */
export declare const COST = 5000;
export declare const COUNTERS: readonly [100, 500];
/** For whom and what a challenge is made. */
export interface CaptchaUse {
  readonly action: CaptchaAction;
  /** As a keyed hash. */
  readonly network: string;
}
export declare function newProofOfWork(
  { action, network }: CaptchaUse,
  {
    key,
    now,
  }: {
    key: Buffer;
    now: number;
  },
): Promise<ProofOfWork>;
/** The nonce of a challenge of ours that is solved for this use and not too old; undefined when anything of it is not so. */
export declare function solvedNonce(
  answer: string,
  use: CaptchaUse,
  {
    key,
    now,
  }: {
    key: Buffer;
    now: number;
  },
): Promise<string | undefined>;
