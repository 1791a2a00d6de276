/** The numbers of the exchange that are the same on every market. */
import { atoms, ppm } from '@orrery/units';

/** Open orders one account may have over all markets; a market has its own number beside this one. */
export const OPEN_ORDERS_PER_ACCOUNT = 1_000;
/** Orders that are placed or cancelled together, all or none. */
export const ORDERS_PER_BATCH = 100;
/** An order that rested longer is closed. */
export const ORDER_LIFETIME_MS = 90 * 24 * 3_600_000;
/** A clientOrderId is known after its order closed: this many of an account, the newest, and each this long. */
export const CLOSED_CLIENT_ORDERS_REMEMBERED = 1_024;
export const CLOSED_CLIENT_ORDERS_REMEMBERED_MS = 24 * 3_600_000;
/** The most orders that trigger within one command under rules 2: each may match as a placed order does, which bounds the duration of a command. */
export const TRIGGERS_PER_COMMAND = 16;

/** A round of prices tries the stalled triggers of its contract, oldest try first, until this number of them in a row could not act. */
export const STALLED_MISSES_PER_ROUND = 16;
/**
 * The most resting orders that the orders of one command may meet under rules 7; what is left goes on with the next command. An order that fills whole or not at
 * all may meet this many by itself.
 */
export const FILLS_PER_COMMAND = 500;
/** The most scheduled cancels and TWAP slices within one command. */
export const TIMERS_PER_COMMAND = 16;
/** A scheduled cancel is at least this far ahead. */
export const SCHEDULE_AHEAD_MS = 5_000;
/** Take-profit and stop-loss orders on one position, those included that are attached to open orders. */
export const TRIGGERS_PER_POSITION = 20;
/** How far a market order may trade from the best price when it does not say. */
export const DEFAULT_SLIPPAGE_PPM = ppm(10_000);
export const SLIPPAGE_PPM_MAX = ppm(1_000_000);
/** One faucet claim in so long. */
export const CLAIM_INTERVAL_MS = 24 * 3_600_000;
/** What one award of points may be at most. */
export const AWARD_POINTS_MAX = atoms(77_777n);
/** No amount in a command has more than 38 digits. */
export const AMOUNT_MAX = atoms(10n ** 38n - 1n);
/** The codes of the internal assets the engine knows by name. */
export const POINTS = 'POINTS';
export const CLAIM = 'CLAIM';
export const PRACTICE = 'PRACTICE';
