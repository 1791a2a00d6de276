// @vitest-environment happy-dom
/** What can be done to a position by its dialogs, as a person meets them: what is wrong is said at its field before anything is sent. */
import type { Position, ProfitStopTerms } from '@orrery/api';
import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentType } from 'react';
import { beforeEach, expect, test } from 'vitest';
import '../../../testing/silent-feed.ts';
import { openDialog } from '../../../kit/ui/dialogs.tsx';
import type { Dialogue } from '../../../kit/ui/dialogs.tsx';
import { BTC_PERPETUAL } from '../../../market/contract.fixture.ts';
import { Refusal } from '../../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../../testing/stage.tsx';
import { CloseDialog } from './close-dialog.tsx';
import { LeverageDialog } from './leverage-dialog.tsx';
import { MarginDialog } from './margin-dialog.tsx';
import { MarginModeDialog, PositionModeDialog } from './mode-dialogs.tsx';
import { ProtectDialog } from './protect-dialog.tsx';
import { ProtectedParts } from './protected-parts.tsx';

/** Long 0.02 BTC from 60,000, now 61,000, isolated at 10. */
const POSITION = {
  symbol: 'BTC_USDC',
  positionSide: 'BOTH',
  positionType: 'ISOLATED',
  leverage: 10,
  autoMargin: false,
  positionSize: '0.02',
  availableCloseSize: '0.02',
  entryPrice: '60000',
  markPrice: '61000',
  notional: '1220',
  unrealizedProfit: '20',
  isolatedMargin: '150',
  liquidationPrice: '53000',
} as unknown as Position;

type Props = { readonly market: typeof BTC_PERPETUAL; readonly position: Position };
let answer: Promise<true | undefined>;

async function open(Component: ComponentType<Props & Dialogue<true>>, part: Partial<Position> = {}): Promise<void> {
  act(() => {
    answer = openDialog(Component, { market: BTC_PERPETUAL, position: { ...POSITION, ...part } });
  });
  await screen.findByRole('dialog');
}

const field = (name: string): HTMLInputElement => screen.getByRole('textbox', { name });
const button = (name: string): HTMLElement => screen.getByRole('button', { name });
async function enter(name: string, typed: string): Promise<void> {
  await userEvent.clear(field(name));
  await userEvent.type(field(name), typed);
}
/** By the button of its verb: it stands outside of the form, where a key of a test does not find it. */
const send = (): Promise<void> => userEvent.click(document.querySelector('button[type=submit]') ?? document.body);
const problem = async (words: string): Promise<void> => {
  await waitFor(() => expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toContain(words));
};
const sent = (): readonly unknown[] =>
  (['createFuturesOrder', 'adjustLeverage', 'adjustPositionMargin', 'setProtection'] as const).flatMap((name) =>
    exchange.received(name).map(({ body }) => body),
  );

beforeEach(async () => {
  exchange.answer('createFuturesOrder', () => '1');
  exchange.answer('adjustLeverage', () => true);
  exchange.answer('adjustPositionMargin', () => true);
  exchange.answer('setProtection', () => ({ profitId: '1', stopId: '2' }));
  await comeIntoView(newPerson());
  await show(<></>);
});

test.each<[string, ComponentType<Props & Dialogue<true>>, string, string, string]>([
  ['leverage of 3.7', LeverageDialog, 'Leverage', '3.7', 'A whole number from 1 to 40'],
  ['leverage of 41', LeverageDialog, 'Leverage', '41', 'From 1 to 40.'],
  ['no leverage', LeverageDialog, 'Leverage', '{Backspace}', 'From 1 to 40.'],
  ['more than the position', CloseDialog, 'Size', '0.021', 'At most 0.02 BTC can be closed'],
  ['a size finer than a lot', CloseDialog, 'Size', '0.000001', 'At most 5 decimals'],
  ['no size', CloseDialog, 'Size', '{Backspace}', 'Enter a size'],
  ['a take profit below the mark', ProtectDialog, 'Take profit', '60999', 'Take profit must be above 61,000.0'],
  ['a stop above the mark', ProtectDialog, 'Stop loss', '61001', 'Stop loss must be below 61,000.0'],
  ['a stop finer than a tick', ProtectDialog, 'Stop loss', '60000.05', 'At most 1 decimal'],
  ['more protected than is held', ProtectDialog, 'Size', '0.03', 'At most 0.02 BTC can be closed'],
  ['no margin', MarginDialog, 'Amount USDC', '{Backspace}', 'Enter a number'],
  ['margin finer than an atom', MarginDialog, 'Amount USDC', '0.0000001', 'At most 6 decimals'],
])('%s is said at its field, which has the focus, and nothing is sent', async (_what, Component, name, typed, words) => {
  await open(Component);
  await enter(name, typed);
  await send();
  await problem(words);
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-invalid')).toBe('true'));
  expect(sent()).toEqual([]);
});

test('neither a take profit nor a stop is said to be missing', async () => {
  await open(ProtectDialog);
  await userEvent.click(button('Place TP/SL'));
  await problem('Enter a take profit, a stop loss or both');
});

test('what protects a part of the position is said, and nothing of the whole or of another contract', async () => {
  const stop = {
    profitId: '7',
    symbol: 'BTC_USDC',
    positionSide: 'BOTH',
    origQty: '0.01',
    triggerProfitPrice: null,
    triggerStopPrice: '58000.0',
  };
  const stops = [
    { ...stop, triggerProfitPrice: '65000.0', triggerStopPrice: null },
    { ...stop, profitId: '8' },
    { ...stop, profitId: '9', origQty: null },
    { ...stop, profitId: '10', symbol: 'ETH_USDC' },
  ] as unknown as readonly ProfitStopTerms[];
  await show(<ProtectedParts market={BTC_PERPETUAL} position={POSITION} stops={stops} />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Take profit at 65,000.0 for 0.01 BTC',
    'Stop loss at 58,000.0 for 0.01 BTC',
  ]);
});

test('a leverage that is none is on no button; one that is, is set and said', async () => {
  await open(LeverageDialog);
  await enter('Leverage', '3.7');
  expect(button('Set leverage')).toBeTruthy();
  await enter('Leverage', '20');
  await userEvent.click(button('Set 20×'));
  await screen.findByText('Leverage set to 20×');
  expect([await answer, sent()]).toEqual([true, [{ symbol: 'BTC_USDC', positionSide: 'BOTH', leverage: 20 }]]);
});

test('a lower leverage of an isolated position says how much money moves, a higher one that none does', async () => {
  await open(LeverageDialog);
  // 1,200 of cost at 5 are 240: 90 more than its 150.
  await enter('Leverage', '5');
  await screen.findByText('90.00 USDC moves from the wallet to the position.');
  await enter('Leverage', '20');
  await screen.findByText('No money moves: the position keeps its margin.');
});

test('a share of the position is a press, and what it would bring is said', async () => {
  await open(CloseDialog);
  expect(screen.getByText('+20.00 USDC (+16.66%)')).toBeTruthy();
  await userEvent.click(button('50%'));
  expect(field('Size').value).toBe('0.01');
  await screen.findByText('+10.00 USDC (+16.66%)');
  await userEvent.click(button('Close 0.01 BTC'));
  expect(await answer).toBe(true);
  expect(sent()).toMatchObject([{ orderSide: 'SELL', orderType: 'MARKET', origQty: '0.01', reduceOnly: true }]);
});

test('the whole position is sent as that, and not as the size that it had', async () => {
  await open(CloseDialog);
  expect(field('Size').value).toBe('0.02');
  await userEvent.click(button('25%'));
  expect(field('Size').value).toBe('0.005');
  await userEvent.click(button('100%'));
  await userEvent.click(button('Close 0.02 BTC'));
  expect(await answer).toBe(true);
  const [order] = sent() as [Readonly<Record<string, unknown>>];
  expect(order).toMatchObject({ orderSide: 'SELL', orderType: 'MARKET', positionSide: 'BOTH', closePosition: true });
  expect(['origQty', 'unit', 'reduceOnly'].filter((name) => name in order)).toEqual([]);
});

test('what open orders cover already cannot be closed again by a limit, and can at the market', async () => {
  await open(CloseDialog, { availableCloseSize: '0.015' });
  expect(field('Size').value).toBe('0.02');
  await userEvent.click(screen.getByRole('radio', { name: 'Limit' }));
  expect(field('Size').value).toBe('0.015');
  await enter('Size', '0.02');
  await send();
  await problem('At most 0.015 BTC can be closed');
});

test('the leg of a hedged position is named', async () => {
  await open(CloseDialog, { positionSide: 'SHORT', positionSize: '-0.02' });
  expect(screen.getByRole('dialog', { name: 'Close short' })).toBeTruthy();
});

test('what a take profit and a stop would bring is said under them', async () => {
  await open(ProtectDialog);
  await enter('Take profit', '65000');
  await screen.findByText('+100.00 USDC (+83.33%)');
  await enter('Stop loss', '57000');
  await screen.findByText('\u221260.00 USDC (\u221250.00%)');
});

test('a take profit and a stop are one command, which names itself the same when it is sent again', async () => {
  await open(ProtectDialog);
  await enter('Take profit', '65000');
  await enter('Stop loss', '57000');
  exchange.answer('setProtection', () => {
    throw new Refusal({ status: 422, msg: 'not now', reason: 'PricesDegraded' });
  });
  await send();
  await screen.findByRole('alert');
  exchange.answer('setProtection', () => ({ profitId: '1', stopId: '2' }));
  await send();
  expect(await answer).toBe(true);
  const [first, again] = sent() as [{ readonly key: string }, { readonly key: string }];
  const pair = { symbol: 'BTC_USDC', positionSide: 'BOTH', scope: 'WHOLE', triggerProfitPrice: '65000', triggerStopPrice: '57000' };
  expect(first).toEqual({ ...pair, key: first.key });
  expect(again).toEqual(first);
});

test('of a part of the position they stand beside the others', async () => {
  await open(ProtectDialog);
  await enter('Stop loss', '57000');
  await enter('Size', '0.01');
  await send();
  expect(await answer).toBe(true);
  expect(sent()).toMatchObject([{ scope: 'FURTHER_PART', origQty: '0.01', triggerStopPrice: '57000' }]);
});

test('margin can be taken back as far as the position does not need it', async () => {
  await open(MarginDialog);
  await userEvent.click(screen.getByRole('radio', { name: 'Take margin back' }));
  // 150 less a tenth of 1,200.
  await screen.findByText('30.00 USDC');
  await enter('Amount USDC', '30.5{Enter}');
  await problem('At most 30 USDC');
});

test('a refusal stands at the field that the exchange names until something is entered', async () => {
  await open(CloseDialog);
  exchange.answer('createFuturesOrder', () => {
    throw new Refusal({ status: 422, msg: 'not now', reason: 'PricesDegraded' });
  });
  await userEvent.click(button('Close 0.02 BTC'));
  const refused = await screen.findByRole('alert');
  expect(screen.queryByRole('dialog')).not.toBeNull();
  await enter('Size', '0.01');
  expect(refused.isConnected).toBe(false);
});

test('Escape closes a dialog in which nothing was entered, and no other', async () => {
  await open(CloseDialog);
  await userEvent.keyboard('{Escape}');
  expect(await answer).toBeUndefined();
  await open(CloseDialog);
  await enter('Size', '0.01');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement?.getAttribute('aria-label')).toBe('Close'));
  expect(screen.queryByRole('dialog')).not.toBeNull();
});

test('the margin mode and the position mode are changed by another choice, and by no press of what is so already', async () => {
  exchange.answer('changePositionType', () => true);
  exchange.answer('changePositionMode', () => true);
  act(() => {
    answer = openDialog(MarginModeDialog, { market: BTC_PERPETUAL, type: 'CROSSED' as const });
  });
  await screen.findByRole('dialog');
  const [set] = screen.getAllByRole('button').slice(-1);
  expect(set?.hasAttribute('disabled')).toBe(true);
  await userEvent.click(screen.getByRole('radio', { name: /Isolated/ }));
  await userEvent.click(screen.getAllByRole('button').at(-1) ?? document.body);
  expect(await answer).toBe(true);
  act(() => {
    answer = openDialog(PositionModeDialog, { market: BTC_PERPETUAL, mode: 'ONE_WAY' as const });
  });
  await screen.findByRole('dialog');
  await userEvent.click(screen.getByRole('radio', { name: /Hedge/ }));
  await userEvent.click(screen.getAllByRole('button').at(-1) ?? document.body);
  expect(await answer).toBe(true);
  expect(exchange.received('changePositionType').map(({ body }) => body)).toEqual([{ symbol: 'BTC_USDC', positionType: 'ISOLATED' }]);
  expect(exchange.received('changePositionMode').map(({ body }) => body)).toMatchObject([{ positionMode: 'HEDGE' }]);
});
