// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clockHook } from './use-now.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const useClock = clockHook(() => Date.now());
const START = 1_800_000_000_000;

function Countdown({ name }: { readonly name: string }): ReactElement {
  return <output aria-label={name}>{useClock(1_000)}</output>;
}

const shown = (name: string): number => Number(screen.getByLabelText(name).textContent);
const pass = (ms: number): void => act(() => void vi.advanceTimersByTime(ms));

test('two countdowns of a page say the same, whenever each was begun', () => {
  vi.setSystemTime(START);
  const { rerender } = render(<Countdown name="first" />);
  pass(700);
  rerender(
    <>
      <Countdown name="first" />
      <Countdown name="second" />
    </>,
  );
  for (let step = 0; step < 30; step += 1) {
    expect(shown('second')).toBe(shown('first'));
    pass(100);
  }
  expect(shown('first')).toBe(START + 3_000);
});

test('who comes when nobody has listened for a while reads the present time', () => {
  vi.setSystemTime(START);
  render(<Countdown name="first" />);
  cleanup();
  expect(vi.getTimerCount()).toBe(0);
  vi.setSystemTime(START + 60_000);
  render(<Countdown name="second" />);
  expect(shown('second')).toBe(START + 60_000);
  vi.setSystemTime(START + 10_000);
  cleanup();
  render(<Countdown name="third" />);
  expect(shown('third')).toBe(START + 10_000);
});
