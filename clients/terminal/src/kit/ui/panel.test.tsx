// @vitest-environment happy-dom
/** A part that fails, and a dialog that fails: what stands in its place, and that all else goes on. */
import { act, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { show } from '../../testing/stage.tsx';
import { lazyDialog, openDialog } from './dialogs.tsx';
import type { Dialogue } from './dialogs.tsx';
import { lazyPart } from './lazy-part.ts';
import { gateCode } from './load-code.ts';
import { Panel } from './panel.tsx';

let isBroken: boolean;

beforeEach(() => {
  isBroken = true;
  // The exchange answers: waiting cannot help where code is missing.
  gateCode({ whenOpen: () => Promise.resolve(), isAnswering: () => Promise.resolve(true) });
});

function Tape(): ReactElement {
  if (isBroken) throw new Error('no such trade');
  return <p>the tape</p>;
}

const gone = (): Promise<never> => Promise.reject(new TypeError('Failed to fetch dynamically imported module: tape-1a2b3c4.js'));
const MissingTape = lazyPart<object>(gone);
const MissingDialog = lazyDialog<Dialogue<true>>(gone);

test('a part that fails says so in its place, the others go on, and it is tried again by itself', async () => {
  await show(
    <>
      <Panel>
        <p>the book</p>
      </Panel>
      <Panel>
        <Tape />
      </Panel>
    </>,
  );
  expect(screen.getByRole('alert').textContent).toContain('This part of the page stopped working.');
  expect(screen.getByText('the book')).toBeDefined();
  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect([screen.queryByRole('alert'), screen.getByText('the tape').textContent]).toEqual([null, 'the tape']);
});

test('a part whose code is missing says that a new version is here, and nothing else does', async () => {
  await show(
    <>
      <Panel loading={<p>the tape comes</p>}>
        <MissingTape />
      </Panel>
      <p>the book</p>
    </>,
  );
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('A new version is here: reload to use it.');
  expect([screen.queryByText('the tape comes'), screen.getByText('the book').textContent]).toEqual([null, 'the book']);
  expect(screen.getByRole('button', { name: 'Reload' })).toBeDefined();
});

test('a dialog whose code is missing says so in a dialog that can be closed, over a page that goes on', async () => {
  await show(<p>the book</p>);
  let answer: Promise<true | undefined> | undefined;
  act(() => void (answer = openDialog<true, object>(MissingDialog, {}, { of: 'everybody' })));
  expect((await screen.findByRole('alert')).textContent).toContain('A new version is here');
  expect([screen.getByRole('dialog').getAttribute('aria-label'), screen.getByText('the book').textContent]).toEqual([
    'This part of the page stopped working.',
    'the book',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect([await answer, screen.queryByRole('dialog')]).toEqual([undefined, null]);
});

function Leverage({ resolve }: Dialogue<true>): ReactElement {
  if (isBroken) throw new Error('no such tier');
  return (
    <button type="button" onClick={() => resolve(true)}>
      Set leverage
    </button>
  );
}

test('a dialog that fails is tried again in its place, and then answers', async () => {
  await show(<p>the book</p>);
  let answer: Promise<true | undefined> | undefined;
  act(() => void (answer = openDialog<true, object>(Leverage, {}, { of: 'everybody' })));
  isBroken = false;
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }));
  await userEvent.click(screen.getByRole('button', { name: 'Set leverage' }));
  expect(await answer).toBe(true);
});
