/** The sweep that follows a settlement of funding: the next accounts pay, a bounded number of them, so that no command takes long. */
import { accountId, assert } from '@orrery/units';
import type { Command, ContinueFunding, Event } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { payFunding } from '../clearing/pay-funding.ts';
import type { Trading } from '../orders/trading.ts';

/** The sweep of a command ends with the account at which this many positions have paid. */
export const FUNDING_PAYMENTS_PER_COMMAND = 128;
/** The most accounts that a command looks at: most of them may hold nothing. */
export const FUNDING_ACCOUNTS_PER_COMMAND = 8_192;

/** Without anything unpaid, nothing changes and nothing is emitted. */
export function continueFunding(trading: Trading, { market }: ContinueFunding): Event[] {
  if (trading.rules < 7) return [reject('RulesTooOld')];
  const listed = trading.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  // After this point nothing fails.
  const events: Event[] = [];
  const { funding } = listed.contract;
  const { unpaid } = funding;
  if (unpaid === undefined) return events;
  let paid = 0;
  for (let looked = 0; looked < FUNDING_ACCOUNTS_PER_COMMAND && paid < FUNDING_PAYMENTS_PER_COMMAND; looked += 1) {
    if (funding.unpaid === undefined) break;
    assert(trading.accounts.has(unpaid.nextAccount), 'P2: who has not paid is found');
    const holder = trading.positions.known(unpaid.nextAccount);
    if (holder !== undefined) paid += payFunding(trading, holder, events);
    unpaid.nextAccount = accountId(unpaid.nextAccount + 1);
  }
  return events;
}

/** The sweep that goes on next: of the contract that comes first by its id. */
export function fundingLeft({ contracts }: Pick<Trading, 'contracts'>): Command | undefined {
  let first: ContinueFunding | undefined;
  for (const [market, { contract }] of contracts)
    if (contract.funding.unpaid !== undefined && (first === undefined || market < first.market))
      first = { type: 'ContinueFunding', market };
  return first;
}
