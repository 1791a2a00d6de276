import { expect, test } from 'vitest';
import { isPhoneNumber, phoneParts, phoneText } from './phone-number.ts';

const CODES = ['+1', '+44', '+49', '+1242'];

test('the number is the code of the country and the digits, without the zero of calls inside the country', () => {
  expect(phoneText({ code: '+44', digits: '020 7946 0018' })).toBe('+442079460018');
  expect(phoneText({ code: '+44', digits: '0' })).toBe('');
});

test('a whole number that is pasted names its own country, by the longest code that fits', () => {
  expect(phoneParts('+49 30 901820', '+44', CODES)).toEqual({ code: '+49', digits: '30901820' });
  expect(phoneParts('0049 30 901820', '+44', CODES)).toEqual({ code: '+49', digits: '30901820' });
  expect(phoneParts('+1 242 555 0100', '+44', CODES)).toEqual({ code: '+1242', digits: '5550100' });
  expect(phoneParts('(020) 7946-0018', '+44', CODES)).toEqual({ code: '+44', digits: '02079460018' });
  expect(phoneParts('+999 1234567', '+44', CODES)).toEqual({ code: '+44', digits: '9991234567' });
});

test.each([
  ['+442079460018', true],
  ['+1234567', true],
  ['+123456', false],
  ['+1234567890123456', false],
  ['+0442079460018', false],
  ['2079460018', false],
  ['', false],
])('%j is a telephone number: %s', (text, expected) => {
  expect(isPhoneNumber(text)).toBe(expected);
});
