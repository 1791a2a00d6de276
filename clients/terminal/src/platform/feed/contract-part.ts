/** The part of the feed that contracts need: loaded with the first of them. */
import { FuturesStream } from '@orrery/sdk';
import type { FuturesStreamOptions } from '@orrery/sdk';
import { ContractAccountFeed } from './contract-account-feed.ts';
import type { ContractAccountPorts } from './contract-account-feed.ts';

export { contractStream, dealOf } from './contract-stream.ts';

export const openFuturesStream = (options: FuturesStreamOptions): FuturesStream => new FuturesStream(options);

export const contractAccount = (ports: ContractAccountPorts): ContractAccountFeed => new ContractAccountFeed(ports);
