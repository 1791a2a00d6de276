/** Everything that is measured, in the order in which it is measured. */
import { DAY_KINDS } from './day.ts';
import { GATEWAY_KINDS } from './gateway.ts';
import { HEART_KINDS } from './heart.ts';
import type { Kind } from './kind.ts';
import { SOCKET_KINDS } from './sockets.ts';

export const KINDS: readonly Kind[] = [...HEART_KINDS, ...GATEWAY_KINDS, ...SOCKET_KINDS, ...DAY_KINDS];
