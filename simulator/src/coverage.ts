/** The coverage that many seeds must reach together: a meter at zero means that a case never occurred, even in a green run. */
import type { Meters } from './meters.ts';
import { FAULT_KINDS } from './plan.ts';

const ORDER_FATES = [
  ...['rested', 'filled', 'canceledByAccount', 'replaced', 'selfTrade', 'accountBlocked'].map((fate) => `limit GTC ${fate}`),
  ...['filled', 'remainderNotFilled'].map((fate) => `limit IOC ${fate}`),
  'limit FOK filled',
  ...['rested', 'filled', 'canceledByAccount'].map((fate) => `limit GTX ${fate}`),
  ...['filled', 'remainderNotFilled', 'slippageBound', 'selfTrade'].map((fate) => `market IOC ${fate}`),
  'market FOK filled',
  ...['triggered', 'rested', 'filled', 'canceledByAccount'].map((fate) => `stopLimit GTC ${fate}`),
  ...['triggered', 'filled', 'canceledByAccount'].map((fate) => `stopMarket IOC ${fate}`),
].map((fate) => `order ${fate}`);

const SPOT_FATES = [
  ...['triggered', 'filled', 'canceledByAccount'].map((fate) => `take-profit ${fate}`),
  ...['triggered', 'filled', 'canceledByAccount'].map((fate) => `trailing ${fate}`),
  ...['triggered', 'filled', 'canceledByAccount', 'groupTriggered', 'groupClosed'].map((fate) => `pair ${fate}`),
  ...['triggered', 'filled', 'groupTriggered'].map((fate) => `protection ${fate}`),
].map((fate) => `spot ${fate}`);

const REJECTS = [
  'FillOrKillUnfilled',
  'InsufficientBalance',
  'InvalidNotional',
  'InvalidTrigger',
  'NoLiquidity',
  'OrderNotAmendable',
  'PostOnlyWouldTake',
  'PriceOutOfBand',
  'TransferRouteClosed',
  'UnknownOrder',
  'HourlyCapExceeded',
  'MarketHalted',
  'MarketCancelOnly',
].map((reason) => `rejected ${reason}`);

const FAULTS = FAULT_KINDS.flatMap((kind) => [`fault ${kind}`, `fault ${kind} while running`]);

const HAPPENINGS = [
  'damage refused by name',
  'damage before the snapshot',
  'snapshot damaged',
  'fatal',
  'starts that failed by the disk',
  'starts that failed by the database',
  'fault kill while starting',
  'fault kill while down',
  'messages lost',
  'messages repeated',
  'messages stopped by partitions',
  'call unknown',
  'unknown order was there',
  'unknown order was not there',
  'unknown transfer was there',
  'unknown withdrawal was not there',
  'OrderRepeated',
  'TrailingStarted',
  'TriggerStalled',
  'pair answered',
  'CommandRepeated',
  'deposits credited',
  'funding settled',
  'prices DEGRADED',
  ...['orderBook', 'takeover', 'adl'].map((stage) => `liquidation ${stage}`),
  ...['trade', 'closeAll', 'liquidation', 'takeover', 'adl'].map((cause) => `position reduced by ${cause}`),
  ...['setProtection', 'reversePosition', 'closeAllPositions'].map((route) => `answered ${route}`),
  'orders for the most',
  'OtcOrderCreated',
  'OtcDecisionAppealed',
  'MerchantDeposited',
  ...['PAID', 'CANCELLED', 'DISPUTED', 'RELEASED'].map((status) => `OTC order ${status}`),
  ...['EXPIRED', 'DISPUTED', 'RELEASED', 'RETURNED'].map((status) => `OTC order ${status} by a timer or an arbiter`),
  'withdrawals ended',
  'final deposits lost',
  'deposits written off',
  'deposits back after their write-off',
  'reorganisation of credited deposits',
  'reorganisation of final payouts',
];

/** The simulated hours from which a run must reach full coverage. */
export const COVERED_HOURS = 100;

/** The meters that stand at zero. */
export const uncovered = (meters: Meters): readonly string[] =>
  meters.zeros([...ORDER_FATES, ...SPOT_FATES, ...REJECTS, ...FAULTS, ...HAPPENINGS]);
