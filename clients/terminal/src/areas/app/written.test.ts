// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isSomethingWritten, watchWriting } from './written.ts';

let end: () => void;
beforeEach(() => {
  document.body.innerHTML = '<input id="amount" /><input id="find" type="search" /><input id="agreed" type="checkbox" value="yes" />';
  end = watchWriting(document);
});
afterEach(() => end());

function enter(id: string, value: string): HTMLInputElement {
  const field = document.querySelector<HTMLInputElement>(`#${id}`);
  if (field === null) throw new Error(`there is no #${id}`);
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
  return field;
}

test('what a person has entered counts until it is emptied or gone; what the page has filled in does not', () => {
  const filled = document.querySelector<HTMLInputElement>('#amount');
  if (filled !== null) filled.value = '100';
  expect(isSomethingWritten(document)).toBe(false);
  enter('amount', '10');
  expect(isSomethingWritten(document)).toBe(true);
  enter('amount', '');
  expect(isSomethingWritten(document)).toBe(false);
  enter('amount', '20').remove();
  expect(isSomethingWritten(document)).toBe(false);
});

test('a search and a choice do not count', () => {
  enter('find', 'btc');
  enter('agreed', 'yes');
  expect(isSomethingWritten(document)).toBe(false);
});

test('an open dialog counts', () => {
  document.body.insertAdjacentHTML('beforeend', '<dialog open></dialog>');
  expect(isSomethingWritten(document)).toBe(true);
});

test('what was entered before this part was loaded counts', () => {
  end();
  enter('amount', '10');
  end = watchWriting(document);
  expect(isSomethingWritten(document)).toBe(true);
});
