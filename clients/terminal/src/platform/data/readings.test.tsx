// @vitest-environment happy-dom
/** The shapes in which a component reads the exchange: one answer, a list page by page, and a list by a cursor. All have the same manners. */
import type { CallData } from '@orrery/api';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { held, Refusal } from '../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import type { Person } from '../../testing/stage.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { Table } from '../../kit/ui/table.tsx';
import { queryClient } from '../client/query-client.ts';
import { ask } from './calls.ts';
import { useCursorQuery } from './cursor-query.ts';
import { usePageQuery } from './page-query.ts';
import { useData } from './use-data.ts';

interface Row {
  readonly coin: string;
}

const table = {
  label: 'What is read',
  columns: [{ id: 'coin', header: 'Coin', cell: ({ coin }: Row) => coin }],
  keyOf: ({ coin }: Row) => coin,
  empty: 'Nothing yet',
};

function One(): ReactElement {
  return <Table<Row> {...table} read={useData({ name: 'balances', of: 'account' })} />;
}

function Pages(): ReactElement {
  return <PagedTable<Row> {...table} query={usePageQuery<Row>({ key: ['transfers'], load: (query) => ask('transfers', { query }) })} />;
}

function Cursor(): ReactElement {
  const { read, more } = useCursorQuery<Row>({
    key: ['fundingPayments'],
    load: (id) => ask('fundingPayments', { query: { limit: 10, ...(id !== undefined && { id }) } }),
  });
  return (
    <>
      <Table<Row> {...table} read={read} />
      {more !== undefined && (
        <button type="button" onClick={more}>
          Older
        </button>
      )}
    </>
  );
}

const rowsOf = (coins: readonly string[]): readonly Row[] => coins.map((coin) => ({ coin }));

const SHAPES = [
  { shape: 'one answer', name: 'balances', Part: One, answered: (coins) => rowsOf(coins) },
  { shape: 'a list page by page', name: 'transfers', Part: Pages, answered: (coins) => ({ list: rowsOf(coins), total: coins.length }) },
  { shape: 'a list by a cursor', name: 'fundingPayments', Part: Cursor, answered: (coins) => ({ items: rowsOf(coins), next: null }) },
] as const satisfies readonly {
  readonly shape: string;
  readonly name: 'balances' | 'transfers' | 'fundingPayments';
  readonly Part: () => ReactElement;
  readonly answered: (coins: readonly string[]) => unknown;
}[];

type Answer = CallData['balances'] & CallData['transfers'] & CallData['fundingPayments'];

let alice: Person;
let bob: Person;

beforeEach(async () => {
  [alice, bob] = [newPerson(), newPerson()];
  await comeIntoView(alice);
});

afterEach(() => vi.restoreAllMocks());

const isBusy = (): boolean => screen.getByRole('table').getAttribute('aria-busy') === 'true';

describe.each(SHAPES)('$shape', ({ name, Part, answered }) => {
  const answer = (coins: readonly string[]): Answer => answered(coins) as Answer;

  test('loads, and shows its rows', async () => {
    const coming = held<Answer>();
    exchange.answer(name, coming.answer);
    await show(<Part />);
    expect(isBusy()).toBe(true);
    coming.give(answer(['USDC']));
    await screen.findByRole('cell', { name: 'USDC' });
    expect(isBusy()).toBe(false);
  });

  test('says that there is nothing, which is no failure', async () => {
    exchange.answer(name, () => answer([]));
    await show(<Part />);
    await screen.findByText('Nothing yet');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('says that it failed, and is read again when the person tries', async () => {
    exchange.answer(name, () => {
      throw new Refusal({ status: 400, msg: 'not now' });
    });
    await show(<Part />);
    expect((await screen.findByRole('alert')).textContent).toContain('This could not be loaded.');
    expect([isBusy(), screen.queryByText('Nothing yet')]).toEqual([false, null]);
    exchange.answer(name, () => answer(['USDC']));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('cell', { name: 'USDC' });
    expect(screen.queryByRole('alert')).toBeNull();
  });

  test('what is known stays when it cannot be read again, and says how old it is', async () => {
    exchange.answer(name, () => answer(['USDC']));
    await show(<Part />);
    await screen.findByRole('cell', { name: 'USDC' });
    exchange.answer(name, () => {
      throw new Refusal({ status: 400, msg: 'not now' });
    });
    await act(() => queryClient.refetchQueries());
    await screen.findByText(/^Not up to date: last loaded at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.$/);
    expect([screen.getByRole('cell').textContent, screen.queryByRole('alert')]).toEqual(['USDC', null]);
    exchange.answer(name, () => answer(['BTC']));
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('cell', { name: 'BTC' });
    expect(screen.queryByText(/^Not up to date/)).toBeNull();
  });

  test('nothing of one account is shown to the next: neither what is there, nor what is still on its way', async () => {
    exchange.answer(name, () => answer(['BTC']));
    await show(<Part />);
    await screen.findByRole('cell', { name: 'BTC' });
    const [ofBob, late] = [held<Answer>(), held<Answer>()];
    const carol = newPerson();
    exchange.answer(name, ({ by }) => (by === bob.account ? ofBob.answer() : by === carol.account ? late.answer() : answer(['BTC'])));
    await comeIntoView(carol);
    expect([isBusy(), screen.queryByRole('cell', { name: 'BTC' })]).toEqual([true, null]);
    await comeIntoView(bob);
    late.give(answer(['SOL']));
    ofBob.give(answer(['ETH']));
    await screen.findByRole('cell', { name: 'ETH' });
    expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['ETH']);
  });

  test('left while its answer is on the way it complains of nothing, and is there when it is shown again', async () => {
    const complaints = vi.spyOn(console, 'error');
    const coming = held<Answer>();
    exchange.answer(name, coming.answer);
    const { unmount } = await show(<Part />);
    unmount();
    await act(async () => coming.give(answer(['USDC'])));
    await show(<Part />);
    await screen.findByRole('cell', { name: 'USDC' });
    expect([complaints.mock.calls, exchange.received(name).length]).toEqual([[], 1]);
  });
});

test('the next page of a list stands in the place of the one before, which stays until it has come', async () => {
  const second = held<CallData['transfers']>();
  const page = (coin: string): CallData['transfers'] => ({ list: rowsOf([coin]), total: 11 }) as unknown as CallData['transfers'];
  exchange.answer('transfers', ({ query }) => (Number(query.page) === 1 ? page('BTC') : second.answer()));
  await show(<Pages />);
  await screen.findByRole('cell', { name: 'BTC' });
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await waitFor(() => expect([isBusy(), screen.getByRole('cell').textContent]).toEqual([true, 'BTC']));
  second.give(page('ETH'));
  await screen.findByRole('cell', { name: 'ETH' });
  expect(screen.queryByRole('cell', { name: 'BTC' })).toBeNull();
});

test('older rows of a list by a cursor stand below the newer ones', async () => {
  const page = (coin: string, next: string | null) => ({ items: rowsOf([coin]), next }) as unknown as CallData['fundingPayments'];
  exchange.answer('fundingPayments', ({ query }) => (query.id === undefined ? page('BTC', '7') : page('ETH', null)));
  await show(<Cursor />);
  fireEvent.click(await screen.findByRole('button', { name: 'Older' }));
  await screen.findByRole('cell', { name: 'ETH' });
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['BTC', 'ETH']);
  expect(screen.queryByRole('button', { name: 'Older' })).toBeNull();
});

test('a page that fails says so, and the pager leads back', async () => {
  exchange.answer('transfers', ({ query }) => {
    if (Number(query.page) > 1) throw new Refusal({ status: 400, msg: 'not now' });
    return { list: rowsOf(['BTC']), total: 11 } as unknown as CallData['transfers'];
  });
  await show(<Pages />);
  await screen.findByRole('cell', { name: 'BTC' });
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  expect((await screen.findByRole('alert')).textContent).toContain('This could not be loaded.');
  fireEvent.click(screen.getByRole('button', { name: 'Previous page' }));
  await screen.findByRole('cell', { name: 'BTC' });
});

test('older rows that fail leave those that are there, and only they are read again', async () => {
  const page = (coin: string, next: string | null) => ({ items: rowsOf([coin]), next }) as unknown as CallData['fundingPayments'];
  let fails = true;
  exchange.answer('fundingPayments', ({ query }) => {
    if (query.id === undefined) return page('BTC', '7');
    if (fails) throw new Refusal({ status: 400, msg: 'not now' });
    return page('ETH', null);
  });
  await show(<Cursor />);
  fireEvent.click(await screen.findByRole('button', { name: 'Older' }));
  await screen.findByText(/^Not up to date/);
  expect(screen.getByRole('cell').textContent).toBe('BTC');
  fails = false;
  const before = exchange.received('fundingPayments').length;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('cell', { name: 'ETH' });
  expect(exchange.received('fundingPayments').length).toBe(before + 1);
});
