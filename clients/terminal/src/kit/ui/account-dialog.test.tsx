// @vitest-environment happy-dom
/** A dialog of an account, as a person meets it: opened by a button, answered by the keyboard, and closed when another account comes into view. */
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useId, useState } from 'react';
import type { ReactElement } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { act } from '../../platform/data/calls.ts';
import { useActor } from '../storage/account-in-view.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { Button } from './button.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { Dialog } from './dialog.tsx';
import { openDialog } from './dialogs.tsx';
import type { Dialogue } from './dialogs.tsx';
import { Field } from './field.tsx';

const CLOSED = 'The account in view has changed. What was open for the previous one was closed.';

/** A form in a dialog, as they are written here: its button stands in the footer. */
function AmountDialog({ resolve, close }: Dialogue<string>): ReactElement {
  const by = useActor();
  const id = useId();
  const [amount, setAmount] = useState('');
  const send = async (): Promise<void> => {
    await act('transfer', { body: { coin: 'USDC', amount, from: 'spot', to: 'futures' } }, by).catch(() => undefined);
    resolve(amount);
  };
  const footer = (
    <Button type="submit" form={id} kind="primary">
      Move
    </Button>
  );
  return (
    <Dialog open onClose={close} title="Transfer" footer={footer}>
      <form
        id={id}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Field label="Amount" autoFocus value={amount} onChange={setAmount} />
      </form>
    </Dialog>
  );
}

let answers: (string | true | undefined)[];

function Page(): ReactElement {
  const ask = async (answer: Promise<string | true | undefined>): Promise<void> => void answers.push(await answer);
  const question = { title: 'Close all', lead: 'Every position is closed.', action: 'Close them' };
  return (
    <>
      <button type="button" onClick={() => void ask(openDialog(AmountDialog, {}))}>
        Open transfer
      </button>
      <button type="button" onClick={() => void ask(openDialog(ConfirmDialog, question))}>
        Open question
      </button>
      <button type="button" onClick={() => void ask(openDialog(ConfirmDialog, question, { of: 'everybody' }))}>
        Open settings
      </button>
    </>
  );
}

const press = (name: string): Promise<void> => userEvent.click(screen.getByRole('button', { name }));
const focused = (): string | null | undefined => document.activeElement?.textContent;

beforeEach(async () => {
  answers = [];
  exchange.answer('transfer', () => ({ transferId: 'a' }));
  await comeIntoView(newPerson());
  await show(<Page />);
});

test('it closes with a sentence when another account comes into view, and what was typed is sent for nobody', async () => {
  await press('Open transfer');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '5');
  await comeIntoView(newPerson());
  await screen.findByText(CLOSED);
  expect([screen.queryByRole('dialog'), answers, exchange.received('transfer')]).toEqual([null, [undefined], []]);
});

test('what belongs to everybody stays', async () => {
  await press('Open settings');
  await comeIntoView(newPerson());
  expect([screen.getByRole('dialog', { name: 'Close all' }).isConnected, screen.queryByText(CLOSED)]).toEqual([true, null]);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
});

test('Enter in a field of it sends the form once, for the account it was opened for', async () => {
  await press('Open transfer');
  await userEvent.type(await screen.findByRole('textbox', { name: 'Amount' }), '5{Enter}');
  await waitFor(() => expect(answers).toEqual(['5']));
  expect(exchange.received('transfer').map(({ by, as }) => by === as)).toEqual([true]);
});

test('the focus goes into it, stays in it, and returns to the button that opened it', async () => {
  await press('Open question');
  const dialog = await screen.findByRole('dialog', { name: 'Close all' });
  // Its close icon and its two buttons, and round again.
  for (const name of [null, 'Cancel', 'Close them', null]) {
    expect([dialog.contains(document.activeElement), focused() || null]).toEqual([true, name]);
    await userEvent.tab();
  }
  await userEvent.click(screen.getByRole('button', { name: 'Close them' }));
  await waitFor(() => expect(focused()).toBe('Open question'));
  expect(answers).toEqual([true]);
});

test('Escape answers nothing: it leads to the close icon, which does', async () => {
  await press('Open question');
  await screen.findByRole('dialog', { name: 'Close all' });
  await userEvent.tab();
  await userEvent.keyboard('{Escape}');
  expect([answers, document.activeElement?.getAttribute('aria-label')]).toEqual([[], 'Close']);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect([answers, focused()]).toEqual([[undefined], 'Open question']));
});
