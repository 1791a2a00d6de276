/** The money of a fund moves by subscriptions and redemptions alone: its account does not trade at the desk, and an account of the desk is no empty one. */
import { expect, test } from 'vitest';
import { accountId, addressOf, assetId, atoms } from '@orrery/units';
import type { Command } from '@orrery/protocol';
import { Table } from '../testing/tape.ts';
import { parseCommand } from '../testing/tape-command.ts';
import { parseOtcPerson } from '../testing/tape-otc.ts';

const [carol, fund, other] = [accountId(3), accountId(4), accountId(5)];

function scene() {
  const table = new Table();
  const give = (command: Command): string =>
    table.give(command).map((event) => (event.type === 'CommandRejected' ? event.reason : event.type))[0]!;
  give(parseCommand('exchange', ['otc', 'opens']));
  give(parseCommand('carol', 'transfer 9000 USDC spot>funding t'.split(' ')));
  for (const account of [fund, other]) {
    give({ type: 'OpenAccount', address: addressOf(`0x${String(account).padStart(40, '0')}`) });
    for (const flag of ['termsAccepted', 'whitelisted'] as const) give({ type: 'SetAccountFlag', account, flag, value: true });
  }
  const open = (account: typeof fund, share: number): string => {
    give({ type: 'RegisterAsset', asset: assetId(share), code: `SHARE${share}`, decimals: 0, kind: 'internal' });
    const money = { asset: assetId(1), amount: atoms(1_000n), capacity: atoms(9_000n) };
    return give({ type: 'OpenFund', fund: assetId(share), account, leader: carol, ...money });
  };
  const buys = (account: typeof fund): string => give(parseOtcPerson(account, 'buys 100 BTC @ 7.50 usd 10-500 as a1'.split(' ')));
  return { open, buys };
}

test('the account of a fund begins nothing at the desk', () => {
  const { open, buys } = scene();
  expect(open(fund, 5)).toBe('FundOpened');
  expect(buys(fund)).toBe('FundAccount');
});

test('an account with an advertisement does not become a fund', () => {
  const { open, buys } = scene();
  expect(buys(other)).toBe('AdvertisementPublished');
  expect(open(other, 6)).toBe('FundAccountInUse');
});
