import { expect, test } from 'vitest';
import { parseTransfer, targetsOf } from './own-transfer.ts';

test('[A8] money goes where the rules of the exchange let it go: from futures to funding through spot only', () => {
  expect(targetsOf('funding')).toEqual(['spot', 'futures']);
  expect(targetsOf('spot')).toEqual(['funding', 'futures', 'coinFutures']);
  expect(targetsOf('futures')).toEqual(['spot']);
  expect(targetsOf('coinFutures')).toEqual(['spot']);
});

test('what is kept of a transfer is read back, and nothing else', () => {
  const transfer = { coin: 'USDC', amount: '5', from: 'funding', to: 'spot' };
  expect(parseTransfer(JSON.parse(JSON.stringify(transfer)))).toEqual(transfer);
  for (const broken of [null, { ...transfer, from: 'pocket' }, { ...transfer, amount: 5 }]) expect(parseTransfer(broken)).toBeUndefined();
});
