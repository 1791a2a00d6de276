// @vitest-environment happy-dom
/** What changes the rows of a list begins it again: the next account, and a filter that the address does not name. */
import type { CallData } from '@orrery/api';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { useFirstPages } from '../kit/ui/in-url.ts';
import { PagedTable } from '../kit/ui/paged-table.tsx';
import { ask } from '../platform/data/calls.ts';
import { usePageQuery } from '../platform/data/page-query.ts';
import { comeIntoView, exchange, newPerson, show } from '../testing/stage.tsx';
import { useFirstPagesOfAccount } from './leading.ts';

type Row = CallData['orderHistory']['items'][number];

function Orders(): ReactElement {
  useFirstPagesOfAccount();
  const toFirstPages = useFirstPages();
  const [symbol, setSymbol] = useState<string>();
  const query = usePageQuery<Row>({
    key: ['orderHistory', symbol],
    load: async ({ page, pageSize }) => {
      const { items, total } = await ask('orderHistory', { query: { page, size: pageSize, ...(symbol !== undefined && { symbol }) } });
      return { list: items, total };
    },
  });
  const filter = (): void => {
    setSymbol('BTC_USDC');
    toFirstPages();
  };
  return (
    <>
      <button type="button" onClick={filter}>
        This market
      </button>
      <PagedTable<Row>
        label="Orders"
        query={query}
        columns={[{ id: 'id', header: 'Order', cell: ({ orderId }) => orderId }]}
        keyOf={({ orderId }) => orderId}
        empty="none"
      />
    </>
  );
}

beforeEach(async () => {
  exchange.answer('orderHistory', ({ by = '', query }) => {
    const name = `${by}, ${query.symbol ?? 'all'}, page ${query.page ?? 1}`;
    return { items: [{ orderId: name }], page: query.page ?? 1, size: 10, total: 40 } as unknown as CallData['orderHistory'];
  });
  await comeIntoView(newPerson());
  await show(<Orders />);
  await screen.findByRole('cell', { name: /all, page 1$/ });
  fireEvent.click(screen.getByRole('button', { name: 'Next page' }));
  await screen.findByRole('cell', { name: /all, page 2$/ });
});

const pagesAsked = (by: string): readonly number[] =>
  exchange
    .received('orderHistory')
    .filter((call) => call.by === by)
    .map(({ query }) => Number(query.page));

test('the list of the next account begins at its first page', async () => {
  const next = newPerson();
  await comeIntoView(next);
  await screen.findByRole('cell', { name: `${next.account}, all, page 1` });
  expect(pagesAsked(next.account).at(-1)).toBe(1);
});

test('a list of one market begins at its first page', async () => {
  fireEvent.click(screen.getByRole('button', { name: 'This market' }));
  await screen.findByRole('cell', { name: /BTC_USDC, page 1$/ });
  await waitFor(() => expect(screen.getByText('1–10 of 40')).not.toBeNull());
});
