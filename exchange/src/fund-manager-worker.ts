/** The thread of the managers of funds: nothing comes in but where to trade, by which strategy and with which key. */
import { parentPort, workerData } from 'node:worker_threads';
import { runFundManager, type ManagedFund } from '@orrery/fund-manager';
import { assert } from '@orrery/units';

export interface FundManagerOrders {
  readonly baseUrl: string;
  readonly funds: readonly ManagedFund[];
}

const port = parentPort;
assert(port !== null, 'the managers of funds run in a thread of the exchange');
const orders = workerData as FundManagerOrders;
const manager = runFundManager({ ...orders, log: (line) => port.postMessage(line) });
port.once('message', () => void manager.stop().then(() => port.close()));
