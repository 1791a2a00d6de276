/** Why a heart that goes on does not take a command: nothing of it becomes history. */
import { type Command, HeartError } from '@orrery/protocol';
import { areLaterRules } from '@orrery/rules';
import type { Accepted } from './options.ts';

const UNACCEPTED = {
  everything: undefined,
  cancels: 'the exchange takes cancels only, as its operator has set it',
  nothing: 'the exchange can be read only, as its operator has set it',
} as const satisfies Record<Accepted, string | undefined>;

interface Present {
  readonly accepts: Accepted;
  /** As many commands wait for the disk as may. */
  readonly isFull: boolean;
  /** As of `Room`. */
  readonly shortage: () => string | undefined;
}

/** Why not every command is taken, in one sentence. */
export const shortageOf = ({ accepts, shortage }: Pick<Present, 'accepts' | 'shortage'>): string | undefined =>
  UNACCEPTED[accepts] ?? shortage();

export function refusalOf(command: Command, present: Present): HeartError | undefined {
  // A later version replays it as taken, whatever is answered here.
  if (command.type === 'UpgradeRules' && areLaterRules(command.version))
    return untaken('unencodable', `rules ${command.version} are of a later version of the program`);
  if (present.accepts === 'nothing') return untaken('readOnly', UNACCEPTED.nothing);
  if (present.isFull) return untaken('overloaded', 'too many commands are waiting for the disk');
  if (command.type === 'CancelOrder' || command.type === 'CancelAllOrders') return undefined;
  const shortage = shortageOf(present);
  return shortage === undefined ? undefined : untaken('cancelsOnly', shortage);
}

const untaken = (failure: HeartError['failure'], message: string): HeartError =>
  new HeartError({ failure, outcomeUnknown: false, message });
