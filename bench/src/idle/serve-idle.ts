/** The whole program at rest, in a separate process: a new folder, the market-maker and the managers of funds, and nobody else. */
import { openWholeExchange } from '../door/whole-exchange.ts';

export interface ServedIdle {
  readonly url: string;
  readonly directory: string;
  /** Of the process of the exchange. */
  readonly pid: number;
}

const { url, directory } = await openWholeExchange({ ORRERY_FUND_MANAGER: 'on' });
console.log(JSON.stringify({ url, directory, pid: process.pid } satisfies ServedIdle));
