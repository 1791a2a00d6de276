/** A person whose private stream of contracts moves from one gateway to another while trades go on, and what it was sent. */
import type { FuturesFill } from '@orrery/api';
import { FuturesStream } from '@orrery/sdk';
import type { Gate } from './moving-reader.ts';
import { until } from './until.ts';

export class MovingContractReader {
  /** Every trade of the account that any of its connections has been sent, by execution. */
  readonly trades = new Map<string, FuturesFill>();
  readonly faults: string[] = [];
  #stream: FuturesStream | undefined;

  /** The old connection is gone before the new one is there: what happens meanwhile has to be sent again. */
  async move({ url, client }: Gate, meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<void> {
    const from = this.#stream?.accountSeq;
    this.close();
    await meanwhile();
    let isReady = false;
    this.#stream = new FuturesStream({
      baseUrl: url,
      listenKey: () => client.listenKey({}),
      onFault: (error) => this.faults.push(String(error)),
    });
    this.#stream.account(
      {
        onTrade: (fill) => this.trades.set(`${fill.execId} ${fill.takerMaker}`, fill),
        onGap: ({ from: first, to }) => void this.faults.push(`what happened from ${first} to ${to} is missing at ${url}`),
        onReady: () => (isReady = true),
      },
      { from },
    );
    await until('the stream is whole', () => Promise.resolve(isReady));
  }

  close(): void {
    this.#stream?.close();
  }
}
