import { expect, test } from 'vitest';
import { accountId, atoms, lots, marketId, millis, seq } from '@orrery/units';
import { TwapsView } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { FuturesOwn } from './futures-own.ts';

test('a TWAP order that is over says what was filled of it, and why it ended', () => {
  const twaps = new TwapsView();
  const place = { account: accountId(3), market: marketId(2) } as const;
  const terms = { key: 't', side: 'buy', positionSide: 'both', size: lots(50), minutes: 1, reduceOnly: false, seed: 0 } as const;
  twaps.apply({ type: 'TwapAccepted', twapId: 5, ...place, ...terms }, { seq: seq(1), at: millis(1_000) });
  const listedContract = () => ({ contract: { symbol: 'BTC_USDC', sizePrecision: 3 } });
  const own = new FuturesOwn({ twaps, listedContract } as unknown as Floor);
  const said = (): unknown => JSON.parse(own.twap(place.account, 5).data);
  expect(said()).toMatchObject({ twapId: '5', twap: { origQty: '0.05', executedQty: '0' }, ended: null });
  const closed = { type: 'TwapClosed', twapId: 5, ...place, reason: 'completed', filled: lots(25), filledNotional: atoms(1n) } as const;
  twaps.apply(closed, { seq: seq(2), at: millis(61_000) });
  const ended = { twapId: '5', origQty: '0.05', executedQty: '0.025', closeReason: 'completed', closedTime: 61_000 };
  expect(said()).toMatchObject({ twapId: '5', twap: null, ended });
});
