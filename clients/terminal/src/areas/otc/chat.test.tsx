// @vitest-environment happy-dom
/** The chat of an order: steps in words, the arbiter marked, outside contacts hinted at, and one message under one id. */
import type { OtcMessage, OtcOrderDetail } from '@orrery/api';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import '../../testing/silent-feed.ts';
import { held, silence } from '../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { queryClient } from '../../platform/client/query-client.ts';
import { Chat } from './chat.tsx';

const order = { orderId: '31', counterpart: { nickname: 'Golden Bridge' } } as unknown as OtcOrderDetail;
const message = (at: number, over: Partial<OtcMessage>): OtcMessage => ({
  messageId: String(at).padStart(32, '0'),
  by: 'SELLER',
  own: false,
  kind: 'TEXT',
  text: null,
  receiptId: null,
  hint: false,
  at,
  ...over,
});

let messages: readonly OtcMessage[];

beforeEach(async () => {
  messages = [
    message(4, { by: 'ARBITER', text: 'The statement, please' }),
    message(3, { text: 'see t.me/me', hint: true }),
    message(2, { by: 'BUYER', own: true, text: null }),
    message(1, { by: 'EXCHANGE', kind: 'SYSTEM', text: 'PAID' }),
    message(0, { by: 'EXCHANGE', kind: 'SYSTEM', text: 'LATER 420000' }),
  ];
  exchange.answer('otcMessages', () => ({ list: [...messages], total: messages.length, next: null }));
  await comeIntoView(newPerson());
  await show(<Chat order={order} />);
});

const shown = async (): Promise<readonly string[]> => {
  await screen.findByText('The statement, please');
  return [...screen.getByRole('log').querySelectorAll('li')].map(({ textContent }) =>
    textContent.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '·'),
  );
};

test('[A11] the oldest stands first: steps in words, who writes, a hint beside a contact outside', async () => {
  expect(await shown()).toEqual([
    'The exchange was not reachable for 7 m: the deadline is later by as long. ·',
    'The buyer says it is paid. ·',
    'You ·The author was deleted.',
    'Seller ·see t.me/meThis names a contact or a link outside. What is agreed elsewhere, no arbiter can see.',
    'Arbiter ·The statement, please',
  ]);
});

test('[A11] Enter sends; without an answer the same message goes again under the same id', async () => {
  await shown();
  exchange.answer('sendOtcMessage', silence);
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
  await userEvent.type(field, 'Hello{Enter}');
  await screen.findByText('Something went wrong');
  expect(field.value).toBe('Hello');
  exchange.answer('sendOtcMessage', () => message(5, { text: 'Hello', own: true, by: 'BUYER' }));
  messages = [message(5, { text: 'Hello', own: true, by: 'BUYER' }), ...messages];
  await userEvent.type(field, '{Enter}');
  await waitFor(() => expect(field.value).toBe(''));
  const sent = exchange.received('sendOtcMessage').map(({ body }) => body);
  expect(sent.map(({ text }) => text)).toEqual(['Hello', 'Hello']);
  expect(new Set(sent.map(({ clientMessageId }) => clientMessageId)).size).toBe(1);
  await screen.findByText('Hello');
});

test('what is typed while a message is on its way stays, as another message', async () => {
  const answer = held<never>();
  exchange.answer('sendOtcMessage', answer.answer);
  const field: HTMLTextAreaElement = screen.getByRole('textbox', { name: 'Message' });
  await userEvent.type(field, 'I pay now{Enter}');
  await waitFor(() => expect(exchange.received('sendOtcMessage')).toHaveLength(1));
  await userEvent.type(field, ' by bank');
  answer.give({} as never);
  await waitFor(() => expect(field.value).toBe('by bank'));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-busy')).toBe('false'));
  await userEvent.type(field, '{Enter}');
  await waitFor(() => expect(exchange.received('sendOtcMessage')).toHaveLength(2));
  const [first, second] = exchange.received('sendOtcMessage').map(({ body }) => body);
  expect([first?.text, second?.text]).toEqual(['I pay now', 'by bank']);
  expect(second?.clientMessageId).not.toBe(first?.clientMessageId);
});

test('a file of another kind is not sent, and it is said', async () => {
  await shown();
  const input = document.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input ?? document.body, new File(['x'], 'tool.exe', { type: 'application/x-msdownload' }), { applyAccept: false });
  await screen.findByText('tool.exe is not of a kind that can be used here.');
  expect(exchange.received('uploadOtcReceipt')).toEqual([]);
});

test('[A11] a picture is read when it comes into view, shown small, and opened in full; a link that is over is read once more', async () => {
  const seen: (() => void)[] = [];
  class Observer {
    readonly #seen: IntersectionObserverCallback;
    constructor(callback: IntersectionObserverCallback) {
      this.#seen = callback;
    }
    observe(): void {
      seen.push(() => this.#seen([{ isIntersecting: true } as IntersectionObserverEntry], this as never));
    }
    disconnect(): void {}
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  let links = 0;
  exchange.answer('otcReceipt', () => ({ receiptId: 'r1', type: 'image/png', url: `/file/${(links += 1)}` }) as never);
  messages = [message(6, { kind: 'RECEIPT', receiptId: 'r1' }), ...messages];
  await queryClient.invalidateQueries();
  const preview = await screen.findByRole('button', { name: 'Picture or receipt' });
  expect(exchange.received('otcReceipt')).toEqual([]);
  act(() => seen.forEach((come) => come()));
  const picture = await waitFor(() => preview.querySelector('img') ?? expect.fail('no picture yet'));
  expect([picture.getAttribute('src'), picture.alt]).toEqual(['/file/1', 'The picture that was sent in the chat']);
  fireEvent.error(picture);
  await waitFor(() => expect(preview.querySelector('img')?.getAttribute('src')).toBe('/file/2'));
  fireEvent.error(preview.querySelector('img') ?? picture);
  await waitFor(() => expect(preview.querySelector('img')).toBeNull());
  expect(links).toBe(2);
  await userEvent.click(preview);
  await screen.findByRole('dialog', { name: 'Receipt' });
  vi.unstubAllGlobals();
});
