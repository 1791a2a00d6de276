/** For tests: a program that is cut off at a chosen point. */
import type { Heart } from '@orrery/protocol';
import type { PublicClient } from 'viem';
import type { IndexerOptions } from '../indexer.ts';
import type { World } from './world.ts';

/** At the nth thing that leaves the program, before or after it is done, everything stops answering. */
export class Crash {
  happened = false;
  #left: number;

  constructor(after: number) {
    this.#left = after;
  }

  around({ heart, client, db }: World): Partial<IndexerOptions> {
    const point = () => this.#point();
    const both = async <Result>(act: () => Promise<Result>): Promise<Result> => {
      point();
      const result = await act();
      point();
      return result;
    };
    return {
      heart: {
        submit: (command) => both(() => heart.submit(command)),
        open: () => heart.open(),
        subscribe: (after) => heart.subscribe(after),
        status: () => heart.status(),
        end: () => heart.end(),
      } satisfies Heart,
      client: {
        ...client,
        sendRawTransaction: (call: Parameters<PublicClient['sendRawTransaction']>[0]) => both(() => client.sendRawTransaction(call)),
      },
      sql: db.sql.withPlugin({
        transformQuery({ node }) {
          point();
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      }),
      onTrouble: () => undefined,
    };
  }

  #point(): void {
    this.#left -= 1;
    if (this.#left > 0) return;
    this.happened = true;
    throw new Error('cut off');
  }
}
