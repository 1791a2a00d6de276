/**
 * The tables of logins, of factors and of e-mail wallets at two processes on one database: each call is made at one of them by chance, and every
 * answer is that of one process. ORRERY_SEED is what the choice follows from.
 */
import { describe } from 'vitest';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { openScattered } from './testing/scattered.ts';
import { openTownsBy } from './testing/town.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const chance = new Chance(SEED);

openTownsBy((options) => openScattered(options, chance));

describe(`names and ways in, seed ${SEED}`, async () => void (await import('./name-login.test.ts')));
describe(`apps, seed ${SEED}`, async () => void (await import('./factors/factors.test.ts')));
describe(`passkeys, seed ${SEED}`, async () => void (await import('./factors/passkeys.test.ts')));
describe(`e-mail wallets, seed ${SEED}`, async () => void (await import('./embedded-wallets.test.ts')));
