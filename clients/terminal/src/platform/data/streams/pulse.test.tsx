// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test } from 'vitest';
import { silence } from '../../../testing/fake-exchange.ts';
import { exchange, show } from '../../../testing/stage.tsx';
import { reach } from '../../client/exchange-reach.ts';
import { Feed } from '../../feed/feed.ts';
import { running } from '../../feed/running.ts';
import { usePulse } from './pulse.ts';

function Shown(): ReactElement {
  const { state, latencyMs } = usePulse();
  return <p>{`${state} ${latencyMs ?? '—'}`}</p>;
}

/** A stream that answers as the test says. */
function streamAnswers(millis: number): Feed {
  const feed = new Feed(() => ({ postMessage: () => {}, listen: () => {}, terminate: () => {} }));
  feed.roundTrip.set(millis);
  running.set(feed);
  return feed;
}

const calls = (): number => exchange.received('time').length;

afterEach(() => {
  running.set(undefined);
  reach.ended('answered');
});

test('while a stream answers it is the pulse, and no call is made for it', async () => {
  streamAnswers(12.4);
  await show(<Shown />);
  await screen.findByText('live 12');
  expect(calls()).toBe(0);
});

test('a stream that ceases to answer is followed by a call at once, which says whether the exchange can be reached', async () => {
  const feed = streamAnswers(12.4);
  await show(<Shown />);
  await screen.findByText('live 12');
  act(() => feed.roundTrip.set(undefined));
  await screen.findByText(/^live \d+$/);
  expect(calls()).toBe(1);
  act(() => feed.roundTrip.set(7));
  await screen.findByText('live 7');
  exchange.answer('time', silence);
  act(() => feed.roundTrip.set(undefined));
  await screen.findByText(/^offline/);
  await waitFor(() => expect(reach.get().phase).toBe('lost'));
});

test('where no stream is a call is the pulse', async () => {
  await show(<Shown />);
  await screen.findByText(/^live \d+$/);
  expect(calls()).toBe(1);
});
