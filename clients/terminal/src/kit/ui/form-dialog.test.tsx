// @vitest-environment happy-dom
/** A form in a dialog, as a person meets it. */
import { CallError } from '@orrery/sdk';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { beforeEach, expect, test } from 'vitest';
import { show } from '../../testing/stage.tsx';
import { openDialog } from './dialogs.tsx';
import type { Dialogue } from './dialogs.tsx';
import { Field } from './field.tsx';
import { FormDialog } from './form-dialog.tsx';
import { TextArea } from './text-area.tsx';
import { FormFault, useForm } from './use-form.ts';

const schema = Type.Object({ name: Type.String({ minLength: 3 }), why: Type.String({ minLength: 3 }) });

interface NoteProps {
  readonly send: (values: { readonly name: string; readonly why: string }) => Promise<void>;
  readonly waiting?: string;
}

function NoteDialog({ send, resolve, close, ...rest }: Dialogue<string> & NoteProps): ReactElement {
  const form = useForm({
    schema,
    initial: { name: '', why: '' },
    async send(values) {
      await send(values);
      resolve(values.name);
    },
  });
  return (
    <FormDialog title="A note" action="Write" form={form} close={close} {...rest}>
      <Field {...form.field('name')} label="Name" />
      <TextArea {...form.field('why')} label="Why" />
    </FormDialog>
  );
}

let answer: Promise<string | undefined>;
let sent: string[];
/** What the exchange does with each that is sent. */
let reply: () => Promise<void>;

async function open(waiting: Pick<NoteProps, 'waiting'> = {}): Promise<void> {
  const send: NoteProps['send'] = ({ name, why }) => {
    sent.push(`${name} ${why}`);
    return reply();
  };
  act(() => {
    answer = openDialog(NoteDialog, { send, ...waiting }, { of: 'everybody' });
  });
  await screen.findByRole('dialog', { name: 'A note' });
}

const field = (name: string): HTMLElement => screen.getByRole('textbox', { name });
const button = (name: string): HTMLElement => screen.getByRole('button', { name });
const fillIn = async (keys = ''): Promise<void> => {
  await userEvent.type(field('Why'), 'because');
  await userEvent.type(field('Name'), `alice${keys}`);
};

beforeEach(async () => {
  sent = [];
  reply = () => Promise.resolve();
  await show(<></>);
});

test('Enter in a field sends it, and it closes with its answer', async () => {
  await open();
  await fillIn('{Enter}');
  expect([await answer, sent]).toEqual(['alice', ['alice because']]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the button of its verb sends it, Cancel and the close icon do not', async () => {
  for (const [way, expected] of [
    ['Write', 'alice'],
    ['Cancel', undefined],
    ['Close', undefined],
  ] as const) {
    await open();
    await fillIn();
    await userEvent.click(button(way));
    expect(await answer).toBe(expected);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  expect(sent).toEqual(['alice because']);
});

test('what does not fit is said at its field, the first has the focus, and nothing is sent', async () => {
  await open();
  await userEvent.type(field('Name'), 'alice{Enter}');
  await screen.findByRole('alert');
  await waitFor(() => expect(document.activeElement).toBe(field('Why')));
  await userEvent.click(button('Close'));
  expect([await answer, sent]).toEqual([undefined, []]);
});

test('while it is sent it is not sent again, by no button and no key', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  reply = () => promise;
  await open();
  await fillIn('{Enter}');
  await waitFor(() => expect(button('Write').getAttribute('aria-busy')).toBe('true'));
  await userEvent.click(button('Write'));
  await userEvent.type(field('Name'), '{Enter}');
  fireEvent.submit(field('Why').closest('form') as HTMLFormElement);
  resolve();
  expect([await answer, sent]).toEqual(['alice', ['alice because']]);
});

test('what the wallet waits for is on the button meanwhile', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  reply = () => promise;
  await open({ waiting: 'Sign in your wallet' });
  await fillIn('{Enter}');
  await waitFor(() => expect(button('Sign in your wallet').getAttribute('aria-disabled')).toBe('true'));
  resolve();
  await answer;
});

test('a refusal stands at its field or under all of them, what was typed stays, and it is sent again', async () => {
  const refusals = [
    new CallError({ code: 1, msg: 'The name is taken.', status: 400, field: 'name' }),
    new FormFault('The wallet is locked.'),
  ];
  reply = () => {
    const refusal = refusals.shift();
    return refusal === undefined ? Promise.resolve() : Promise.reject(refusal);
  };
  await open();
  await fillIn('{Enter}');
  await screen.findByText('The name is taken.');
  await waitFor(() => expect(document.activeElement).toBe(field('Name')));
  await userEvent.type(field('Name'), 's{Enter}');
  await screen.findByText('The wallet is locked.');
  await userEvent.click(button('Write'));
  expect([await answer, sent]).toEqual(['alices', ['alice because', 'alices because', 'alices because']]);
});

test('a refusal goes as soon as something is entered: it was of what was entered before', async () => {
  reply = () => Promise.reject(new FormFault('The wallet is locked.'));
  await open();
  await fillIn('{Enter}');
  const refused = await screen.findByText('The wallet is locked.');
  await userEvent.type(field('Why'), '!');
  expect(refused.isConnected).toBe(false);
});

test('Escape closes it while nothing was entered', async () => {
  await open();
  await userEvent.keyboard('{Escape}');
  expect([await answer, sent]).toEqual([undefined, []]);
});
