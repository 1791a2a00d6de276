// @vitest-environment happy-dom
/** A transfer as a component sends it: pressed twice, without an answer, closed and opened again, and with another account in view. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { isTransferKnown, openTransfers, sendTransfer } from '../../areas/balances/open-transfers.ts';
import type { OwnTransfer } from '../../areas/balances/own-transfer.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { held, silence } from '../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import type { Person } from '../../testing/stage.tsx';
import { useOnce } from './use-once.ts';

const FIVE = { coin: 'USDC', amount: '5', from: 'spot', to: 'futures' } as const;

let done: number;
let alice: Person;
let bob: Person;

function Transfer(): ReactElement {
  const { phase, submit, repeat } = useOnce<OwnTransfer>({
    intents: openTransfers,
    newId: () => randomHex(16),
    send: sendTransfer,
    find: isTransferKnown,
    onDone: () => void (done += 1),
  });
  // Before React renders again.
  const submitTwice = (): void => void [submit(FIVE), submit(FIVE)];
  const repeatTwice = (): void => void [repeat(), repeat()];
  return (
    <>
      <output aria-label="Phase">{phase}</output>
      <button type="button" onClick={submitTwice}>
        Send
      </button>
      <button type="button" onClick={repeatTwice}>
        Send again
      </button>
    </>
  );
}

const press = (name: string): boolean => fireEvent.click(screen.getByRole('button', { name }));
const phaseIs = (phase: string): Promise<HTMLElement> => screen.findByText(phase);
/** Under which ids a transfer came, and from whom. */
const sent = (): readonly string[] => exchange.received('transfer').map(({ by, body }) => `${by} ${body.transferId}`);

beforeEach(async () => {
  done = 0;
  [alice, bob] = [newPerson(), newPerson()];
  exchange.answer('transfers', () => ({ list: [], total: 0, next: null }));
  await comeIntoView(alice);
});

/** Alice's transfer, whose answer was lost. */
async function loseAnswer(): Promise<void> {
  exchange.answer('transfer', silence);
  press('Send');
  await phaseIs('unanswered');
}

test('pressed twice, and once more while its answer is awaited, it is sent once and done once', async () => {
  const answer = held<never>();
  exchange.answer('transfer', answer.answer);
  await show(<Transfer />);
  press('Send');
  await phaseIs('sending');
  press('Send');
  answer.give({} as never);
  await phaseIs('idle');
  expect([sent().length, done]).toEqual([1, 1]);
});

test('after a lost answer the same id goes out again, and nothing else can be sent meanwhile', async () => {
  await show(<Transfer />);
  await loseAnswer();
  press('Send');
  exchange.answer('transfer', () => ({}) as never);
  press('Send again');
  await phaseIs('idle');
  const [first, ...others] = sent();
  expect([others, done]).toEqual([[first], 1]);
});

test('closed and opened again it is still there, and what the exchange has by then is done without sending it again', async () => {
  const { unmount } = await show(<Transfer />);
  await loseAnswer();
  unmount();
  const body = exchange.received('transfer')[0]?.body;
  exchange.answer('transfers', () => ({ list: [body], total: 1 }) as never);
  await show(<Transfer />);
  await phaseIs('idle');
  expect([sent().length, done]).toEqual([1, 1]);
});

test('another account neither sees it, nor looks for it, nor sends it; its own finds it under the same id', async () => {
  await show(<Transfer />);
  await loseAnswer();
  await comeIntoView(bob);
  await phaseIs('idle');
  press('Send again');
  await comeIntoView(alice);
  await phaseIs('unanswered');
  exchange.answer('transfer', () => ({}) as never);
  press('Send again');
  await phaseIs('idle');
  const [first, ...others] = sent();
  expect([others, done]).toEqual([[first], 1]);
  expect(exchange.received('transfers').filter(({ by }) => by === bob.account)).toEqual([]);
});

test('an answer that comes while another account is in view is not shown to it', async () => {
  const answer = held<never>();
  exchange.answer('transfer', answer.answer);
  await show(<Transfer />);
  press('Send');
  await phaseIs('sending');
  await comeIntoView(bob);
  answer.give({} as never);
  await waitFor(() => expect(openTransfers.of(alice.account)).toEqual([]));
  expect([done, screen.getByLabelText('Phase').textContent]).toEqual([0, 'idle']);
});
