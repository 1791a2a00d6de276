/**
 * A3 at two processes on one heart and one database: each call, sign-in, grant and end is made at one of them by chance, and every answer is that of one
 * process. ORRERY_SEED is what the choice follows from.
 */
import { describe } from 'vitest';
import { hasNats } from '../src/testing/nats-server.ts';
import { SEED } from './authorisation/ground.ts';
import { twoGateways } from './authorisation/installation.ts';
import { describeMatrix } from './authorisation/matrix.ts';

describe.skipIf(!hasNats())(`two gateways, seed ${SEED}`, () => describeMatrix(twoGateways));
