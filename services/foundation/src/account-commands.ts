/** Opening accounts and setting their flags: a command that the heart refuses is an error with its reason. */
import type { AccountFlag, Event, Heart } from '@orrery/protocol';
import type { AccountId, Address } from '@orrery/units';

type Submits = Pick<Heart, 'submit'>;
type Applied = Awaited<ReturnType<Heart['submit']>>;

/** The account of an address, opened when there is none. @throws Error with the reason when the heart refuses. */
export async function openAccount(heart: Submits, address: Address): Promise<{ readonly account: AccountId; readonly receipt: Applied }> {
  const receipt = await heart.submit({ type: 'OpenAccount', address });
  const opened = receipt.events.find((event) => event.type === 'AccountOpened');
  if (opened === undefined) throw refusal(`to open an account for ${address}`, receipt.events);
  return { account: opened.account, receipt };
}

export interface FlagChange {
  readonly account: AccountId;
  readonly flag: AccountFlag;
  readonly value: boolean;
}

/** @throws Error with the reason when the heart refuses: then the flag is as it was. */
export async function setAccountFlag(heart: Submits, change: FlagChange): Promise<Applied> {
  const { account, flag, value } = change;
  const receipt = await heart.submit({ type: 'SetAccountFlag', ...change });
  if (receipt.events.some((event) => event.type === 'AccountFlagSet')) return receipt;
  throw refusal(`to make ${flag} of account ${account} ${value}`, receipt.events);
}

function refusal(what: string, events: readonly Event[]): Error {
  const rejected = events.find((event) => event.type === 'CommandRejected');
  return new Error(`the heart refused ${what}: ${rejected?.reason ?? 'without a reason'}`);
}
