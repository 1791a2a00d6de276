/** How many transactions of one sender are taken from outside in a minute. Only what is taken counts: a refused one was not paid for. */
import { RpcError } from '@orrery/contracts/anvil';
import type { Address } from 'viem';

export const PER_SENDER_AND_MINUTE = 30;
const MINUTE_MS = 60_000;
const LIMIT_EXCEEDED = -32005;

export class SenderRates {
  readonly #now: () => number;
  /** Of the current minute; it grows with what was paid for only. */
  readonly #counts = new Map<Address, number>();
  #minute = 0;

  /** @param now milliseconds that only grow: after a clock that jumps and comes back no minute is given again. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws RpcError when the sender has had its minute's share, and whatever `send` throws. */
  async count<Result>(sender: Address, send: () => Promise<Result>): Promise<Result> {
    this.#forgetPast();
    if ((this.#counts.get(sender) ?? 0) >= PER_SENDER_AND_MINUTE) {
      throw new RpcError({
        code: LIMIT_EXCEEDED,
        message: `${PER_SENDER_AND_MINUTE} transactions of a sender are taken in a minute: try again`,
      });
    }
    const result = await send();
    this.#counts.set(sender, (this.#counts.get(sender) ?? 0) + 1);
    return result;
  }

  #forgetPast(): void {
    const minute = Math.floor(this.#now() / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#counts.clear();
  }
}
