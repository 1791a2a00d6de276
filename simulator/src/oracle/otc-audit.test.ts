import { accountId, advertisementId, assetId, atoms, cents, fiatPrice, millis, otcOrderId, seq } from '@orrery/units';
import type { Applied, Command, Event, OtcOrderCreated, OtcStatus } from '@orrery/protocol';
import { expect, test } from 'vitest';
import { OtcAudit } from './otc-audit.ts';

const [buyer, seller] = [accountId(1), accountId(2)];
const asset = assetId(3);
const order = otcOrderId(1);
const advertisement = advertisementId(1);

const made: OtcOrderCreated = {
  type: 'OtcOrderCreated',
  order,
  clientOrderId: 'o',
  advertisement,
  advertiser: seller,
  taker: buyer,
  buyer,
  seller,
  asset,
  amount: atoms(20n),
  currency: 'usd',
  price: fiatPrice(75_000n),
  total: cents(15_000n),
  createdAt: millis(0),
  deadline: millis(900),
  coinsAreHeld: false,
};
const step = (status: OtcStatus, by: number): Event =>
  ({ type: 'OtcOrderStepped', order, advertisement, buyer, seller, asset, amount: atoms(20n), status, by }) as Event;
const money = (account: typeof buyer, free: bigint): Event => ({
  type: 'BalanceChanged',
  account,
  wallet: 'funding',
  asset,
  free: atoms(free),
  held: atoms(0n),
});

function following() {
  const audit = new OtcAudit();
  let count = 0;
  const give = (events: readonly Event[], at = 0, type: Command['type'] = 'RunOtcTimers'): void => {
    count += 1;
    audit.follow({ seq: seq(count), at: millis(at), command: { type } as Command, events } satisfies Applied);
  };
  give([made]);
  const escrow = (free: bigint): void => audit.compare({ systemBalances: [{ system: 'OTC_ESCROW', asset, free }] });
  return { give, escrow };
}

test('OT1: an order that is paid and released brings its buyer the coin', () => {
  const { give, escrow } = following();
  escrow(20n);
  expect(() => escrow(19n)).toThrow('what lies in escrow');
  give([step('PAID', buyer)], 899);
  give([step('RELEASED', seller), money(buyer, 20n)], 1_000, 'ReleaseOtcOrder');
  escrow(0n);
  expect(() => give([step('RELEASED', seller)], 1_000)).toThrow('goes from RELEASED to RELEASED');
  expect(() => give([made])).toThrow('again');
});

test.each([
  ['a release that brings less', [step('PAID', buyer)], [step('RELEASED', seller), money(buyer, 19n)], 899, 'has 19 more'],
  ['a release by the buyer', [step('PAID', buyer)], [step('RELEASED', buyer), money(buyer, 20n)], 899, 'is made RELEASED by 1'],
  ['a release of what is not paid', [], [step('RELEASED', seller)], 899, 'goes from CREATED to RELEASED'],
  ['a payment at the end of the window', [], [step('PAID', buyer)], 900, 'its window ends at 900'],
  ['an end of the window before its time', [], [step('EXPIRED', 0)], 899, 'its window ends at 900'],
  ['a cancel by the seller', [step('PAID', buyer)], [step('CANCELLED', seller)], 899, 'is made CANCELLED by 2'],
] as const)('OT1: %s is found', (_, before, events, at, words) => {
  const { give } = following();
  if (before.length > 0) give(before);
  expect(() => give(events, at, 'ReleaseOtcOrder')).toThrow(words);
});

test('OT1: a deadline that an outage has moved is the one that counts', () => {
  const { give } = following();
  give([{ type: 'OtcDeadlinesMoved', since: millis(100), by: millis(1_000) }], 1_100);
  expect(() => give([step('EXPIRED', 0)], 1_899)).toThrow('its window ends at 1900');
  give([step('PAID', buyer)], 1_899);
});
