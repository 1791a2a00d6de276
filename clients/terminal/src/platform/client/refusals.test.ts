/** No reason of the engine or of the API reaches a person in the words of the wire. */
import { API_FAULTS, faultMessage } from '@orrery/api';
import type { FaultFigures, FaultName } from '@orrery/api';
import { MEASURED_REASONS, REJECTS } from '@orrery/protocol';
import { CallError } from '@orrery/sdk';
import { expect, test } from 'vitest';
import { activateLanguage, addTexts } from '../../kit/i18n/catalog.ts';
import { en } from '../../kit/i18n/messages/en/index.ts';
import { refusals } from '../../kit/i18n/messages/en/refusals.ts';
import { worded, wordsOf, wordsOfItem } from './refusals.ts';

addTexts('en', en);
activateLanguage('en');

const REASONS = Object.keys({ ...REJECTS, ...API_FAULTS }) as readonly FaultName[];
const codeOf = (reason: FaultName): number => ({ ...REJECTS, ...API_FAULTS })[reason].code;

/** A sentence, with no name of the wire and nothing left open in it. */
const PLAIN = /^[A-Z][^{}]*\.$/;
const WIRE = /[a-z][A-Z]|clientOrderId|\bIds?\b/;

test.each(REASONS)('%s is a sentence', (reason) => {
  for (const field of ['', 'triggerProfitPrice', 'somethingUnheardOf']) {
    const words = wordsOf({ reason, field, msg: faultMessage(reason, field) });
    expect(words).toMatch(PLAIN);
    expect(words.replace('API', '')).not.toMatch(WIRE);
    // The same where only the code is known.
    expect(wordsOfItem({ code: codeOf(reason), msg: faultMessage(reason, field) })).toMatch(PLAIN);
  }
});

test('no sentence is left over', () => {
  const named = Object.keys(refusals).filter((id) => !id.startsWith('refusal.field.') && !id.startsWith('refusal.both.'));
  expect(named.map((id) => id.slice('refusal.'.length)).toSorted()).toEqual([...REASONS].toSorted());
});

test.each<[FaultName, string, string, string]>([
  [
    'MalformedField',
    'totalAmount',
    'totalAmount must be above zero and have at most 5 decimals',
    'The size must be above zero and have at most 5 decimals.',
  ],
  [
    'InvalidTrigger',
    'takeProfit',
    'triggerPrice would trigger at once or is missing',
    'The trigger price is on the wrong side of the present price, or missing.',
  ],
  [
    'InvalidTrigger',
    'stopPrice',
    'stopPrice of a STOP_MARKET that buys must be above the present price',
    'The trigger price is on the wrong side of the present price, or missing.',
  ],
  [
    'InvalidCombination',
    'takeProfit',
    'takeProfit does not go with this kind of order',
    'The take profit does not go with this kind of order.',
  ],
  [
    'PriceOutOfBand',
    'orderId',
    'the house fills orders within 1 % of the mark price',
    'the house fills orders within 1 % of the mark price',
  ],
  ['MissingField', 'newFangled', 'newFangled is missing', 'What was entered is missing.'],
])('%s of %s: what the exchange says beyond its reason is kept', (reason, field, msg, words) => {
  const error = worded(new CallError({ code: codeOf(reason), msg, status: 400, reason, field }));
  expect([error.msg, error.message, error.field, error.reason]).toEqual([words, words, field, reason]);
});

test.each(MEASURED_REASONS)('%s is a sentence with both numbers, where they are given', (reason) => {
  const figures = { asked: '0.062', limit: '0.05', unit: 'BTC' };
  const words = wordsOf({ reason, field: 'size', msg: faultMessage(reason, 'size'), figures });
  expect(words).toMatch(PLAIN);
  expect(words).toMatch(/0\.05\b|0\.012\b/);
  expect(words).not.toMatch(WIRE);
});

test.each<[FaultName, FaultFigures, string]>([
  [
    'InsufficientMargin',
    { asked: '112.4', limit: '100', unit: 'USDC' },
    'Margin short by 12.4 USDC: 112.4 USDC needed, 100 USDC available.',
  ],
  [
    'InsufficientBalance',
    { asked: '1.000000000000000001', limit: '0.123456789012345678', unit: 'ETH' },
    'Balance short by 0.87654322 ETH: 1.00000001 ETH needed, 0.12345678 ETH free.',
  ],
  [
    'PriceOutOfBand',
    { asked: '62000', limit: '61200.5', unit: 'USDC' },
    'A price of 62,000 USDC is too far from the market: the limit is 61,200.5 USDC.',
  ],
  ['ReduceOnlyRefused', { asked: '900', limit: '40', unit: 'CONT' }, 'At most 40 Cont can be closed now, not 900 Cont.'],
  ['InvalidLeverage', { asked: '60', limit: '50', unit: '' }, 'The limit of the leverage is 50×, yours is 60×.'],
])('%s says what is needed rounded up, and what there is rounded down', (reason, figures, words) => {
  const error = worded(new CallError({ code: codeOf(reason), msg: faultMessage(reason, ''), status: 422, reason, figures }));
  expect(error.message).toBe(words);
  expect(error.figures).toEqual(figures);
});

test('what did not come from the exchange itself stays as it is', () => {
  const error = new CallError({ code: 502, msg: 'bad gateway', status: 502 });
  expect(worded(error)).toBe(error);
  expect(wordsOfItem({ code: 7, msg: 'something else' })).toBe('something else');
});
