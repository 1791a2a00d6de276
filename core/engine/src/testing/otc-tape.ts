/** Tapes at a desk that is open, with coins in the funding wallets of everybody. */
import { expect } from 'vitest';
import { play, type TapeOptions } from './tape.ts';

const OPEN = `
      exchange    otc opens                  -> OtcTermsSet
      alice       transfer 500 BTC spot>funding t -> Transferred
      bob         transfer 500 BTC spot>funding t -> Transferred
      carol       transfer 9000 USDC spot>funding t -> Transferred`;

export function showAtDesk(tape: string, options: TapeOptions = {}): void {
  const whole = `${OPEN}${tape}`;
  expect(play(whole, options)).toBe(whole);
}
