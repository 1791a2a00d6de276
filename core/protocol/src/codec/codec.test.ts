import { expect, expectTypeOf, test } from 'vitest';
import * as fc from 'fast-check';
import {
  accountId,
  advertisementId,
  assetId,
  atoms,
  cents,
  fiatPrice,
  lots,
  marketId,
  millis,
  orderId,
  ppm,
  signedLots,
  ticks,
  tradeId,
  type Address,
} from '@orrery/units';
import type { Command, PlaceOrder } from '../commands.ts';
import { ORDER_SIZINGS } from '../order.ts';
import type { UpdateAdvertisement } from '../otc.ts';
import { REJECTS } from '../rejects.ts';
import { decodeCommand, decodeEvent, encodeCommand, encodeEvent } from './codec.ts';
import { text } from './field.ts';
import type { Fields } from './record.ts';
import { unionCodec } from './record.ts';
import { DecodeError, Reader } from './reader.ts';
import { commandArbitraries, eventArbitraries } from './testing/arbitraries.ts';
import { TEXT_LENGTH_MAX, Writer } from './writer.ts';

const runs = { numRuns: 300, verbose: 1 } as const;

for (const [type, arbitrary] of commandArbitraries) {
  test(`${type} survives its bytes, and equal commands have equal bytes`, () => {
    fc.assert(
      fc.property(arbitrary, (command) => {
        const bytes = encodeCommand(command);
        const back = decodeCommand(bytes);
        expect(back).toStrictEqual(command);
        expect(encodeCommand(back)).toEqual(bytes);
      }),
      runs,
    );
  });
}

for (const [type, arbitrary] of eventArbitraries) {
  test(`${type} survives its bytes, and equal events have equal bytes`, () => {
    fc.assert(
      fc.property(arbitrary, (event) => {
        const bytes = encodeEvent(event);
        const back = decodeEvent(bytes);
        expect(back).toStrictEqual(event);
        expect(encodeEvent(back)).toEqual(bytes);
      }),
      runs,
    );
  });
}

const arbitraryOf = (type: string): fc.Arbitrary<Command> => commandArbitraries.get(type)!;
const anyCommand = fc.oneof(...commandArbitraries.values());

test('no shorter and no longer bytes are read as a command', () => {
  fc.assert(
    fc.property(anyCommand, fc.nat(), (command, cut) => {
      const bytes = encodeCommand(command);
      expect(() => decodeCommand(bytes.subarray(0, cut % bytes.length))).toThrow();
      expect(() => decodeCommand(new Uint8Array([...bytes, 0]))).toThrow(DecodeError);
    }),
    runs,
  );
});

test('random bytes are refused, or are exactly the bytes of what was read', () => {
  const tagged = fc.tuple(fc.nat(50), fc.uint8Array({ maxLength: 60 })).map(([tag, rest]) => new Uint8Array([1, tag, ...rest]));
  fc.assert(
    fc.property(tagged, (bytes) => {
      let command: Command;
      try {
        command = decodeCommand(bytes);
      } catch {
        return;
      }
      expect(encodeCommand(command)).toEqual(bytes);
    }),
    { numRuns: 20_000 },
  );
});

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const order: Command = {
  type: 'PlaceOrder',
  account: accountId(7),
  market: marketId(1),
  clientOrderId: 'a-1',
  side: 'sell',
  orderType: 'stopLimit',
  timeInForce: 'GTX',
  price: ticks(650_001),
  size: lots(300),
  funds: atoms(0n),
  triggerPrice: ticks(2 ** 40),
  slippagePpm: ppm(10_000),
  selfTradePrevention: 'decrement',
};

test('the bytes of version 1 never change', () => {
  expect(hex(encodeCommand(order))).toBe('0111070103612d3101020391d627ac0200808080808020904e03');
  expect(hex(encodeCommand({ type: 'ExpireOrders' }))).toBe('0115');
  expect(
    hex(
      encodeCommand({
        type: 'FundBudget',
        key: 'k',
        budget: 'rewards',
        asset: assetId(2),
        amount: atoms(-(10n ** 20n)),
      }),
    ),
  ).toBe('010d016b010289000010632d5ec76b05');
  expect(hex(encodeCommand({ type: 'CancelOrder', account: accountId(300), orderId: orderId(128), clientOrderId: '' }))).toBe(
    '0112ac02800100',
  );
  expect(hex(encodeEvent({ type: 'CommandRejected', reason: 'UnknownOrder', field: 'orderId' }))).toBe('0101d40f076f726465724964');
});

test('an order whose size is an intent is a record of its own, and one without is as it was', () => {
  fc.assert(
    fc.property(arbitraryOf('PlaceOrder'), arbitraryOf('PlaceSpotOrder'), arbitraryOf('PlaceContractOrder'), (spot, further, contract) => {
      const most = [spot, further].map((order) => ({ ...order, sizing: 'most' }) as Command);
      const intents = [...most, ...ORDER_SIZINGS.map((sizing) => ({ ...contract, sizing }) as Command)];
      const batch: Command = { type: 'PlaceOrders', account: accountId(1), orders: [...intents, contract, spot] as PlaceOrder[] };
      for (const command of [...intents, batch]) expect(decodeCommand(encodeCommand(command))).toStrictEqual(command);
    }),
    runs,
  );
  expect(hex(encodeCommand({ ...order, sizing: 'most' }))).toBe('0140070103612d3101020391d627ac0200808080808020904e03');
});

test('a withdrawal that names a quota is a record of its own, and one without is as it was', () => {
  const withdrawal = {
    account: accountId(7),
    withdrawalId: 'w',
    asset: assetId(2),
    amount: atoms(5n),
    to: `0x${'0'.repeat(39)}1` as Address,
  } as const;
  const quota = { worth: atoms(6n), limit: atoms(7n) };
  const to = Array.from(withdrawal.to, (letter) => letter.charCodeAt(0).toString(16)).join('');
  for (const [type, tag, tagWithQuota] of [
    ['RequestWithdrawal', '09', '62'],
    ['WithdrawInternally', '31', '63'],
  ] as const) {
    expect(hex(encodeCommand({ type, ...withdrawal }))).toBe(`01${tag}0701770201052a${to}`);
    expect(hex(encodeCommand({ type, ...withdrawal, quota }))).toBe(`01${tagWithQuota}0701770201052a${to}01060107`);
  }
});

test('a change of an advertisement that leaves the amount, or names a version, is a record of its own; any other is as it was', () => {
  fc.assert(
    fc.property(arbitraryOf('UpdateAdvertisement'), (command) => {
      const { amount: named, version, ...rest } = command as UpdateAdvertisement;
      const forms = [rest, { ...rest, amount: named }, { ...rest, version }, { ...rest, amount: named, version }];
      for (const form of forms as Command[]) expect(decodeCommand(encodeCommand(form))).toStrictEqual(form);
    }),
    runs,
  );
  const update: UpdateAdvertisement = {
    type: 'UpdateAdvertisement',
    account: accountId(7),
    advertisement: advertisementId(3),
    pricing: { kind: 'FIXED', price: fiatPrice(75_000n) },
    minTotal: cents(1_000n),
    maxTotal: cents(50_000n),
    payWindowMs: 900_000,
  };
  expect(hex(encodeCommand({ ...update, amount: atoms(50n) }))).toBe('014907030003f8240102e8030250c3a0f7360132');
  expect(hex(encodeCommand(update))).toBe('015607030003f8240102e8030250c3a0f736');
  expect(hex(encodeCommand({ ...update, version: 9 }))).toBe('015707030003f8240102e8030250c3a0f7360900');
  expect(hex(encodeCommand({ ...update, version: 9, amount: atoms(50n) }))).toBe('015707030003f8240102e8030250c3a0f7360901' + '0132');
});

test('the bytes of an award taken back never change', () => {
  expect(hex(encodeCommand({ type: 'ReverseAward', key: 'r', awardKey: 'a' }))).toBe('011601720161');
  const award = { awardKey: 'a', budget: 'rewards', account: accountId(7), asset: assetId(2), amount: atoms(5n) } as const;
  expect(hex(encodeEvent({ type: 'AwardReversed', key: 'r', ...award }))).toBe('011c017201610107020105');
});

test('the bytes of a continuation of triggers never change', () => {
  expect(hex(encodeCommand({ type: 'ContinueTriggers', market: marketId(3) }))).toBe('011903');
});

test('the bytes of an upgrade of the rules never change', () => {
  expect(hex(encodeCommand({ type: 'UpgradeRules', version: 2 }))).toBe('011802');
  expect(hex(encodeEvent({ type: 'RulesUpgraded', version: 2 }))).toBe('011e02');
});

test('the bytes of the caps of withdrawals never change', () => {
  const caps = { asset: assetId(2), hourly: atoms(3n), daily: atoms(5n) };
  expect(hex(encodeCommand({ type: 'SetWithdrawalCaps', ...caps }))).toBe('011a0201030105');
  expect(hex(encodeEvent({ type: 'WithdrawalCapsSet', ...caps }))).toBe('011f0201030105');
  expect(hex(encodeEvent({ type: 'OutflowChanged', asset: assetId(2), minute: millis(60_000), amount: atoms(5n) }))).toBe(
    '012002e0d4030105',
  );
});

test('the bytes of changed terms of a market never change', () => {
  const terms = {
    market: marketId(3),
    maxSize: lots(5),
    minNotional: atoms(1n),
    maxNotional: atoms(2n),
    makerFeePpm: ppm(6),
    takerFeePpm: ppm(7),
    maxOpenOrders: 8,
  };
  expect(hex(encodeCommand({ type: 'SetMarketTerms', ...terms }))).toBe('011b030501010102060708');
  expect(hex(encodeEvent({ type: 'MarketTermsChanged', ...terms }))).toBe('0121030501010102060708');
});

test('the bytes of a deposit whose block is gone never change', () => {
  expect(hex(encodeCommand({ type: 'SuspendDeposit', key: 'k' }))).toBe('0117016b');
  const taken = { fromFunding: atoms(3n), fromSpot: atoms(1n), fromFutures: atoms(0n) };
  expect(hex(encodeCommand({ type: 'WriteOffDeposit', key: 'k' }))).toBe('0132016b');
  const event = { type: 'DepositSuspended', key: 'k', account: accountId(7), asset: assetId(2), amount: atoms(5n), ...taken } as const;
  expect(hex(encodeEvent(event))).toBe('011d016b0702010501030101' + '00');
  const part = { type: 'CoinFuturesSuspended', key: 'k', account: accountId(7), asset: assetId(2), amount: atoms(5n) } as const;
  expect(hex(encodeEvent(part))).toBe('013c016b07020105');
});

test('the bytes of the events of every order never change', () => {
  const words = { account: accountId(7), market: marketId(1), clientOrderId: 'a-1', side: 'sell' } as const;
  const prices = { price: ticks(650_001), filled: lots(200), filledNotional: atoms(2n ** 64n) };
  expect(
    hex(
      encodeEvent({
        ...words,
        ...prices,
        type: 'OrderAccepted',
        orderId: orderId(300),
        orderType: 'stopLimit',
        timeInForce: 'GTX',
        size: lots(300),
        funds: atoms(0n),
        triggerPrice: ticks(2 ** 40),
        slippagePpm: ppm(10_000),
        selfTradePrevention: 'decrement',
        createdAt: millis(1_000),
        contract: undefined,
        spot: undefined,
      }),
    ),
  ).toBe('0114ac02070103612d3101020391d627ac0200808080808020904e03e807');
  expect(hex(encodeEvent({ ...words, ...prices, type: 'OrderRested', orderId: orderId(300), remaining: lots(100) }))).toBe(
    '0116ac0207010191d62764c80109000000000000000001',
  );
  expect(
    hex(encodeEvent({ ...words, ...prices, type: 'OrderClosed', orderId: orderId(300), reason: 'canceledByAccount', removed: lots(1) })),
  ).toBe('011bac02070103612d31010191d62701c80109000000000000000001');
  expect(
    hex(
      encodeEvent({
        ...words,
        ...prices,
        type: 'Trade',
        tradeId: tradeId(5),
        size: lots(300),
        notional: atoms(10n ** 28n),
        takerSide: 'buy',
        takerOrderId: orderId(8),
        takerAccount: accountId(9),
        takerFee: atoms(10n ** 18n),
        makerOrderId: orderId(300),
        makerAccount: accountId(7),
        makerFee: atoms(255n),
        makerRemaining: lots(0),
      }),
    ),
  ).toBe('011a050191d627ac020c000000106102253e5ece4f2000080908000064a7b3b6e00dac020701ff00');
  expect(
    hex(
      encodeEvent({
        type: 'BalanceChanged',
        account: accountId(7),
        wallet: 'spot',
        asset: assetId(2),
        free: atoms(2n ** 64n - 1n),
        held: atoms(256n),
      }),
    ),
  ).toBe('010907010208ffffffffffffffff020001');
});

const TERMS = {
  positionSide: 'short',
  reduceOnly: true,
  closePosition: false,
  triggerBy: 'mark',
  trailingPpm: ppm(5),
  source: 'stopLoss',
} as const;

test('the bytes of an order of a contract never change, and an order of a spot market has the bytes it had before there were contracts', () => {
  const attached = { triggerPrice: ticks(9), triggerBy: 'index', price: ticks(0) } as const;
  expect(hex(encodeCommand({ ...order, type: 'PlaceContractOrder', contract: TERMS, takeProfit: attached, stopLoss: attached }))).toBe(
    '011c070103612d3101020391d627ac0200808080808020904e03' + '020100010503' + '090200' + '090200',
  );
  const { type: _, ...terms } = order;
  const accepted = { ...terms, type: 'OrderAccepted', orderId: orderId(300), createdAt: millis(1_000) } as const;
  const bytes = 'ac02070103612d3101020391d627ac0200808080808020904e03e807';
  expect(hex(encodeEvent({ ...accepted, contract: undefined, spot: undefined }))).toBe(`0114${bytes}`);
  const contract = { ...TERMS, triggerDirection: 'fall', parent: orderId(7), group: 3, takeProfit: attached, stopLoss: attached } as const;
  expect(hex(encodeEvent({ ...accepted, contract, spot: undefined }))).toBe(
    `0122${bytes}` + '020100010503' + '02' + '0703' + '090200' + '090200',
  );
  const last = { ...attached, triggerBy: 'last' } as const;
  const asked = { source: 'takeProfit', trailingPpm: ppm(5), activationPrice: ticks(6), takeProfit: last, stopLoss: last } as const;
  const spot = {
    ...asked,
    triggerDirection: 'rise',
    parent: orderId(7),
    group: orderId(8),
    reservedBy: 0,
    reservePrice: ticks(4),
  } as const;
  const withTerms = { ...accepted, contract: undefined, spot } as const;
  expect(decodeEvent(encodeEvent(withTerms))).toEqual(withTerms);
  expect(hex(encodeEvent(withTerms))).toBe(`012200${bytes}` + '010506' + '090000' + '090000' + '0107080004');
  expect(hex(encodeCommand({ ...order, type: 'PlaceSpotOrder', spot: asked }))).toBe(
    '013e070103612d3101020391d627ac0200808080808020904e03' + '010506' + '090000' + '090000',
  );
});

test('the bytes of a position never change', () => {
  expect(
    hex(
      encodeEvent({
        type: 'PositionChanged',
        account: accountId(7),
        market: marketId(3),
        positionSide: 'both',
        size: signedLots(-300),
        cost: atoms(256n),
        margin: atoms(1n),
        realised: atoms(-2n),
        fees: atoms(0n),
        funding: atoms(3n),
        openedAt: millis(1_000),
        maxSize: lots(300),
      }),
    ),
  ).toBe('01230703' + '00' + '822c01' + '020001' + '0101' + '8102' + '00' + '0103' + 'e807' + 'ac02');
});

test('a reject reason is written as its code, whatever its place in the list', () => {
  const writer = new Writer();
  writer.byte(1);
  writer.byte(1);
  writer.uint(REJECTS.InsufficientBalance.code);
  writer.text('');
  expect(decodeEvent(writer.take())).toEqual({ type: 'CommandRejected', reason: 'InsufficientBalance', field: '' });
});

test('where a writer must grow, it writes what a large one writes', () => {
  const write = (writer: Writer): Uint8Array => {
    for (let value = 1; value < Number.MAX_SAFE_INTEGER; value = value * 5 + 1) {
      writer.byte(value % 0x100);
      writer.uint(value);
      for (const wide of [BigInt(value), -BigInt(value), BigInt(value) ** 4n]) writer.bigint(wide);
      writer.text(`${value}`);
    }
    return writer.take();
  };
  const expected = write(new Writer(65_536));
  for (let capacity = 1; capacity <= 64; capacity += 1) expect(write(new Writer(capacity))).toEqual(expected);
});

test('what has no bytes is refused before it is written', () => {
  expect(() => encodeCommand({ ...order, clientOrderId: 'é' })).toThrow(RangeError);
  expect(() => encodeCommand({ ...order, clientOrderId: 'a'.repeat(TEXT_LENGTH_MAX + 1) })).toThrow(RangeError);
  const writer = new Writer();
  expect(() => writer.uint(1.5)).toThrow(RangeError);
  expect(() => writer.uint(-1)).toThrow(RangeError);
  expect(() => writer.uint(2 ** 53)).toThrow(RangeError);
});

test('a longer form of a number than the shortest is refused', () => {
  expect(() => new Reader(new Uint8Array([0x81, 0x00])).uint()).toThrow(DecodeError);
  expect(() => new Reader(new Uint8Array([0x02, 0x01, 0x00])).bigint()).toThrow(DecodeError);
  expect(() => new Reader(new Uint8Array([0x08, 1, 1, 1, 1, 1, 1, 1, 0])).bigint()).toThrow(DecodeError);
  expect(() => new Reader(new Uint8Array([0x80])).bigint()).toThrow(DecodeError);
  expect(() => new Reader(new Uint8Array(9).fill(0xff)).uint()).toThrow(DecodeError);
});

interface Ping {
  readonly type: 'Ping';
  readonly id: string;
}
interface Pong {
  readonly type: 'Pong';
  readonly id: string;
}

test('a missing field does not compile, a field that the record does not have is not written, a tag is not given twice', () => {
  expectTypeOf<{ name: typeof text }>().not.toExtend<Fields<Ping>>();
  expectTypeOf<{ id: typeof text }>().toExtend<Fields<Ping>>();
  const withName = { id: text, name: text };
  const codec = unionCodec<Ping>({ Ping: { tag: 1, fields: withName } });
  expect(() => codec.write(new Writer(), { type: 'Ping', id: 'a' })).toThrow(TypeError);
  expect(() => unionCodec<Ping | Pong>({ Ping: { tag: 1, fields: { id: text } }, Pong: { tag: 1, fields: { id: text } } })).toThrow(
    RangeError,
  );
});
