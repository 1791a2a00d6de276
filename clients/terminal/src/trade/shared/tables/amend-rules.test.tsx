// @vitest-environment happy-dom
/** The change of an order in its row: what is wrong is said there, has the focus, and is not sent. */
import { contractNotional } from '@orrery/rules';
import { ticks } from '@orrery/units';
import { screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import { say } from '../../../kit/i18n/text.tsx';
import { BTC_PERPETUAL } from '../../../market/contract.fixture.ts';
import { show } from '../../../testing/stage.tsx';
import { AmendCell } from './amend-cells.tsx';
import { amendIssues } from './amend-rules.ts';
import type { AmendedOrder } from './amend-rules.ts';
import { amendmentOf } from './amendment.ts';
import type { Amendment, AmendField } from './amendment.ts';
import { useAmending } from './use-amending.ts';

const market = BTC_PERPETUAL;
const LIMIT: AmendedOrder = {
  market,
  side: 'buy',
  kind: 'limit',
  reference: ticks(600_000),
  worth: (price, size) => contractNotional(price, size, market.margin),
  valueIn: { decimals: 6, coin: 'USDC' },
  reduces: false,
};
const BEGUN = amendmentOf({ orderId: '7', price: '60000', stopPrice: null, origQty: '0.02' }, 'new');
const STOP = amendmentOf({ orderId: '7', price: '60000', stopPrice: '59000', origQty: '0.02' }, 'new');

const typed = (part: Partial<Record<AmendField, string>>, from: Amendment = BEGUN): Amendment => ({
  ...from,
  typed: { ...from.typed, ...part },
});

test.each<[Partial<Record<AmendField, string>>, Partial<AmendedOrder>, Partial<Record<AmendField, string>>]>([
  [{}, {}, {}],
  [{ price: '60000.05' }, {}, { price: 'At most 1 decimal' }],
  [{ price: '' }, {}, { price: 'Enter a price' }],
  [{ price: '66000.1' }, {}, { price: 'At most 66000: 10% above the market' }],
  [{ price: '66000.1' }, { reference: ticks(0) }, {}],
  [{ size: '0.000001' }, {}, { size: 'At most 5 decimals' }],
  [{ size: '' }, {}, { size: 'Enter a size' }],
  [{ size: '0.00008' }, {}, { size: 'Order value at least 5 USDC' }],
  [{ size: '0.00008' }, { reduces: true }, {}],
  [{ price: '100' }, {}, { size: 'Order value at least 5 USDC' }],
])('%j in a limit order with %j', (part, order, words) => {
  const issues = amendIssues(typed(part), { ...LIMIT, ...order });
  expect(Object.fromEntries(Object.entries(issues).map(([field, { message, values }]) => [field, say(message, values)]))).toEqual(words);
});

test('a stop has a trigger too, and neither band nor least value before it triggers', () => {
  const of = (part: Partial<Record<AmendField, string>>): readonly string[] =>
    Object.keys(amendIssues(typed(part, STOP), { ...LIMIT, kind: 'stop' }));
  expect(of({ trigger: '59000.05' })).toEqual(['trigger']);
  expect(of({ trigger: '' })).toEqual(['trigger']);
  expect(of({ price: '70000', size: '0.00008' })).toEqual([]);
});

test('in its row a wrong price has the focus and is not sent; a right one is', async () => {
  const sent: string[] = [];
  function Row(): ReactElement {
    const amending = useAmending(({ typed: { price } }) => Promise.resolve(void sent.push(price)));
    const begin = (): void => amending.begin({ orderId: '7', price: '60000', stopPrice: null, origQty: '0.02' });
    return (
      <table>
        <tbody>
          <tr>
            <td>
              <button type="button" onClick={begin}>
                Change
              </button>
            </td>
            <td>
              <AmendCell amending={amending} order={LIMIT} field="price" isFirst />
            </td>
            <td>
              <AmendCell amending={amending} order={LIMIT} field="size" isFirst={false} />
            </td>
          </tr>
        </tbody>
      </table>
    );
  }
  await show(<Row />);
  const price = screen.getByRole<HTMLInputElement>('textbox', { name: 'Price' });
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  await waitFor(() => expect(price.value).toBe('60000'));
  await userEvent.clear(price);
  await userEvent.type(price, '60000.05');
  await screen.findByText('At most 1 decimal');
  await userEvent.type(screen.getByRole('textbox', { name: 'Size' }), '{Enter}');
  expect([document.activeElement, sent]).toEqual([price, []]);
  await userEvent.clear(price);
  await userEvent.type(price, '59000{Enter}');
  await waitFor(() => expect(sent).toEqual(['59000']));
});
