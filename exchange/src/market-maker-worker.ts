/** The thread of the market-maker: nothing comes in but where to trade and with which keys. */
import { parentPort, workerData } from 'node:worker_threads';
import { runMarketMaker } from '@orrery/market-maker';
import { assert } from '@orrery/units';

export interface MarketMakerOrders {
  readonly baseUrl: string;
  readonly maker: { readonly accessKey: string; readonly secret: string };
  readonly taker: { readonly accessKey: string; readonly secret: string };
  /** Where contracts are listed. */
  readonly contracts?: {
    readonly maker: { readonly accessKey: string; readonly secret: string };
    readonly taker: { readonly accessKey: string; readonly secret: string };
  };
}

const port = parentPort;
assert(port !== null, 'the market-maker runs in a thread of the exchange');
const orders = workerData as MarketMakerOrders;
const maker = runMarketMaker({ ...orders, log: (line) => port.postMessage({ line }) });
void maker.ready.then(() => port.postMessage({ ready: true }));
port.once('message', () => void maker.stop().then(() => port.close()));
