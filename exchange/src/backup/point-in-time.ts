/**
 * A set cut back to an earlier command. The journal alone can be cut anywhere between two groups. The database can not: only history is derived from the journal,
 * and what the services know besides it is of the time of the set. So a cut is taken where no command behind it left a trace with a service.
 */
import type { Command, Event } from '@orrery/protocol';
import { type Cut, deriveHistory, findCut, nodeDisk } from '@orrery/sequencer';
import type { Client } from 'pg';
import { ENGINES } from '../engines.ts';
import { StartError } from '../start-error.ts';

/** A command by its number, or everything up to a time in Unix milliseconds. */
export type Until = { readonly seq: number } | { readonly at: number };

/** Known to the journal and to history in SQL alone: no service keeps rows of them, and none waits for what came of them. */
const COMMANDS: ReadonlySet<Command['type']> = new Set<Command['type']>([
  'AmendOrder',
  'AmendTrigger',
  'CancelAllOrders',
  'CancelOrder',
  'CancelOrders',
  'ContinueMatching',
  'ContinueTriggers',
  'ExpireOrders',
  'GrantPractice',
  'PlaceContractOrder',
  'PlaceOrder',
  'PlaceOrders',
  'ResetPrices',
  'RunTimers',
  'SetIndexPrice',
  'StockPractice',
  'SubmitCollateralPrices',
  'SubmitPrices',
  'Transfer',
]);
/** Trades are not among them: the leaderboards and the funds sum them up. */
const EVENTS: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'BalanceChanged',
  'CollateralPriced',
  'CommandRejected',
  'CommandRepeated',
  'IndexPriceSet',
  'OrderAccepted',
  'OrderAmended',
  'OrderArmed',
  'OrderClosed',
  'OrderPaused',
  'OrderReduced',
  'OrderRepeated',
  'OrderRested',
  'OrderTriggered',
  'PracticeGranted',
  'PricesSet',
  'TrailingStarted',
  'Transferred',
  'TriggerAmended',
  'TriggerStalled',
]);

/** Offsets of services, each in a row with the number of the last command that they have read. */
const OFFSETS = [
  `update indexer_offset set value = least(value, $1) where name = 'heart'`,
  'update campaign_offset set seq = least(seq, $1)',
  'update campaign_flow_offset set seq = least(seq, $1)',
  'update otc_offset set seq = least(seq, $1)',
  'update fund_offset set seq = least(seq, $1)',
];

/** `12345`, or a time such as `2026-11-28T17:00:00Z`. */
export function parseUntil(text: string): Until {
  if (/^[1-9][0-9]{0,15}$/.test(text)) return { seq: Number(text) };
  const at = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isFinite(at)) return { at };
  throw new StartError(`--until takes the number of a command or a time such as 2026-11-28T17:00:00Z, not "${text}"`);
}

/**
 * Where a copied history is cut: between two groups, so that nothing later than `until` stays. Undefined when all of it stays.
 * @throws StartError when it begins later.
 */
export function findPoint(directory: string, until: Until): Cut | undefined {
  const cut = findCut({ disk: nodeDisk, directory }, ({ seq, at }) => ('seq' in until ? seq <= until.seq : at <= until.at));
  if (cut !== undefined && cut.seq < 1) throw new StartError('The set has no command as early as that.');
  return cut;
}

/** @throws StartError naming the last command behind the cut that left a trace with a service. */
export function refuseTraces(directory: string, cut: Cut): void {
  const archive = { disk: nodeDisk, directory, engines: ENGINES, log: () => undefined };
  let last: { readonly seq: number; readonly what: string } | undefined;
  for (const batch of deriveHistory(archive, { after: cut.seq, last: Number.MAX_SAFE_INTEGER })) {
    for (const { seq, command, events } of batch) {
      const trace = COMMANDS.has(command.type) ? events.find(({ type }) => !EVENTS.has(type))?.type : command.type;
      if (trace !== undefined) last = { seq, what: trace };
    }
  }
  if (last === undefined) return;
  throw new StartError(
    `The database of the set can not go back to command ${cut.seq}: command ${last.seq} (${last.what}) left in it what no journal takes back. Of this set the points behind command ${last.seq} can be restored; for an earlier one take an older set, or history alone with --history-only.`,
  );
}

/** The services read on from the command at which history now ends. History in SQL is emptied by the caller. */
export async function turnBackOffsets(client: Client, seq: number): Promise<void> {
  for (const statement of OFFSETS) await client.query(statement, [seq]);
}
