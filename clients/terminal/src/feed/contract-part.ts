/** The part of the feed that contracts need: loaded with the first of them. */
import { FuturesStream } from '@orrery/sdk';
import type { FuturesStreamOptions } from '@orrery/sdk';

export { contractStream, dealOf } from './contract-stream.ts';

export const openFuturesStream = (options: FuturesStreamOptions): FuturesStream => new FuturesStream(options);
