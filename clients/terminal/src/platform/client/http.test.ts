import { describe, expect, test, vi } from 'vitest';
import { CallError } from '@orrery/sdk';
import { activateLanguage, addTexts } from '../../kit/i18n/catalog.ts';
import { en } from '../../kit/i18n/messages/en/index.ts';
import { accountOf } from '../../kit/storage/account-in-view.ts';
import type { Account } from '../../kit/storage/account-in-view.ts';
import { eventLog } from './event-log.ts';
import { createHttp, REQUEST_TIMEOUT_MS } from './http.ts';
import type { Http, HttpPorts } from './http.ts';
import type { CallEnd } from './reach.ts';

addTexts('en', en);
activateLanguage('en');

const [ALICE, BOB] = [accountOf('7'), accountOf('8')];

interface Bench {
  readonly http: Http;
  readonly requests: Request[];
  readonly toasts: string[];
  readonly ends: CallEnd[];
  readonly onAuthExpired: ReturnType<typeof vi.fn>;
}

function bench(answer: () => Response | Promise<Response>, overrides: Partial<HttpPorts> = {}): Bench {
  const requests: Request[] = [];
  const toasts: string[] = [];
  const ends: CallEnd[] = [];
  const onAuthExpired = vi.fn();
  const http = createHttp({
    baseUrl: 'http://localhost:8080',
    fetch: (input) => {
      requests.push(new Request(input));
      return Promise.resolve(answer());
    },
    token: () => Promise.resolve('secret'),
    accountInView: () => ALICE,
    language: () => 'en',
    onAuthExpired,
    onError: (message) => void toasts.push(message),
    onEnd: (end) => void ends.push(end),
    ...overrides,
  });
  return { http, requests, toasts, ends, onAuthExpired };
}

const answering =
  (body: unknown, status = 200) =>
  (): Response =>
    Response.json(body, { status });
const cancel = (http: Http): Promise<unknown> => http.call('cancelOrder', { body: { orderId: '1' } }, { as: ALICE });

describe('[C1] what every call carries', () => {
  test('[C1] JSON, Accept-Language and the token', async () => {
    const { http, requests } = bench(answering({ code: 0, msg: '', data: '1' }), { language: () => 'de' });
    expect(await cancel(http)).toBe('1');
    const { headers } = requests[0] ?? new Request('http://none');
    expect([headers.get('content-type'), headers.get('accept-language'), headers.get('authorization')]).toEqual([
      'application/json',
      'de',
      'Bearer secret',
    ]);
  });

  test('[C1] a call flagged to ignore the token carries none', async () => {
    const { http, requests } = bench(answering({ code: 0, msg: '', data: [] }));
    await http.call('symbols', { ignoreToken: true });
    expect(requests[0]?.headers.has('authorization')).toBe(false);
  });

  test('[C1] a call is given up after 30 s', () => {
    expect(REQUEST_TIMEOUT_MS).toBe(30_000);
  });
});

describe('[C2] what goes wrong', () => {
  test('[C2] code 200 is a success too', async () => {
    const { http, toasts } = bench(answering({ code: 200, msg: 'ok', data: '5' }));
    expect(await cancel(http)).toBe('5');
    expect(toasts).toEqual([]);
  });

  test('[C2] another code shows the message and rejects', async () => {
    const { http, toasts } = bench(answering({ code: 2004, msg: 'order not found', data: null }));
    await expect(cancel(http)).rejects.toThrow('order not found');
    expect(toasts).toEqual(['order not found']);
  });

  test('[C2] without a message it is an unknown error', async () => {
    const { http, toasts } = bench(answering({ code: 9, data: null }));
    await expect(cancel(http)).rejects.toThrow('unknown error');
    expect(toasts).toEqual(['unknown error']);
  });

  test('[C2] the message may be called message', async () => {
    const { http, toasts } = bench(answering({ code: 9, message: 'told otherwise', data: null }));
    await expect(cancel(http)).rejects.toThrow('told otherwise');
    expect(toasts).toEqual(['told otherwise']);
  });

  test('[C2] HTTP 401 emits auth-expired, without a toast', async () => {
    const { http, toasts, onAuthExpired } = bench(answering({ code: 12002, msg: 'sign in again', data: null }, 401));
    await expect(cancel(http)).rejects.toBeInstanceOf(CallError);
    expect(onAuthExpired).toHaveBeenCalledTimes(1);
    expect(toasts).toEqual([]);
  });

  test.each([
    ['PermissionMissing', 'this key or session may not do this', 'This key or session may not do this.'],
    ['NotYours', 'orderId is not yours', 'The order is not yours.'],
    ['AddressBlocked', 'this address is blocked', 'This address is blocked.'],
  ])('[C2] HTTP 403 for %s emits auth-expired and shows why, in words', async (reason, msg, words) => {
    const { http, toasts, onAuthExpired } = bench(answering({ code: 12009, msg, data: { reason, field: '' } }, 403));
    await expect(cancel(http)).rejects.toThrow(words);
    expect(onAuthExpired).toHaveBeenCalledTimes(1);
    expect(toasts).toEqual([words]);
  });

  test('[C2] another HTTP error shows its message', async () => {
    const { http, toasts } = bench(answering({ code: 4001, msg: 'not enough free balance', data: null }, 422));
    await expect(cancel(http)).rejects.toThrow('not enough free balance');
    expect(toasts).toEqual(['not enough free balance']);
  });

  test('[C2] no body shows `unknown error` and rejects with `Something went wrong`', async () => {
    const { http, toasts } = bench(() => new Response(null, { status: 500 }));
    await expect(cancel(http)).rejects.toThrow('Something went wrong');
    expect(toasts).toEqual(['unknown error']);
  });

  test('[C2] no answer at all shows and rejects with `Something went wrong`', async () => {
    const { http, toasts } = bench(() => Promise.reject(new TypeError('Failed to fetch')));
    await expect(cancel(http)).rejects.toThrow('Something went wrong');
    expect(toasts).toEqual(['Something went wrong']);
  });

  test.each<[string, () => Response | Promise<Response>, CallEnd]>([
    ['an answer', answering({ code: 0, msg: '', data: '1' }), 'answered'],
    [
      'a refusal',
      answering({ code: 4001, msg: 'not enough free balance', data: { reason: 'InsufficientBalance', field: '' } }, 422),
      'answered',
    ],
    [
      'a 503 of the exchange itself',
      answering({ code: 15_003, msg: 'no new orders', data: { reason: 'DiskFull', field: '' } }, 503),
      'answered',
    ],
    ['a 503 of a host in front', () => new Response('<h1>Back soon</h1>', { status: 503 }), 'outOfService'],
    ['a 502 of a proxy', () => new Response('<h1>Bad Gateway</h1>', { status: 502 }), 'silence'],
    ['no answer', () => Promise.reject(new TypeError('Failed to fetch')), 'silence'],
  ])('%s says where the exchange stands', async (_name, answer, end) => {
    const { http, ends } = bench(answer);
    await cancel(http).catch(() => undefined);
    expect(ends).toEqual([end]);
  });

  test('C2 skipErrorHandler: the raw answer, no toast, no event', async () => {
    const refused = bench(answering({ code: 12002, msg: 'sign in again', data: null }, 401));
    expect(await refused.http.raw('openOrders')).toMatchObject({ status: 401, code: 12002, msg: 'sign in again' });
    expect(refused.toasts).toEqual([]);
    expect(refused.onAuthExpired).not.toHaveBeenCalled();
    const taken = bench(answering({ code: 0, msg: 'success', data: 5 }));
    expect(await taken.http.raw('time')).toMatchObject({ status: 200, code: 0, data: 5 });
  });

  test('a page that loads says what failed in place, without a toast', async () => {
    const { http, toasts } = bench(answering({ code: 14003, msg: 'transaction not found', data: null }, 404));
    await expect(http.load('chainBlock')).rejects.toThrow('transaction not found');
    expect(toasts).toEqual([]);
  });
});

test('an answer of another shape is as good as none for the reader, says nothing about the network, and is in the log of events', async () => {
  const { http, ends } = bench(answering({ code: 0, msg: 'success', data: null }));
  await expect(http.load('chainBlock', { ignoreToken: true })).rejects.toThrow('Something went wrong');
  expect(ends).toEqual(['answered']);
  expect(eventLog.events.at(-1)).toMatchObject({ kind: 'call', words: 'chainBlock: an answer of another shape' });
});

describe('whose act it is', () => {
  const done = answering({ code: 0, msg: '', data: '1' });

  test('a write carries the account it is made for; what reads does not', async () => {
    const { http, requests } = bench(done);
    await cancel(http);
    await http.load('openOrders');
    expect(requests.map(({ headers }) => headers.get('x-orrery-account'))).toEqual(['7', null]);
  });

  test.each<[string, Account | undefined]>([
    ['another account is in view', BOB],
    ['none is', undefined],
  ])('nothing is sent, and that is said, while %s', async (_name, inView) => {
    const { http, requests, toasts } = bench(done, { accountInView: () => inView });
    await expect(cancel(http)).rejects.toMatchObject({ reason: 'AccountChanged', status: 409 });
    expect(requests).toEqual([]);
    expect(toasts).toHaveLength(1);
  });

  test('nor when it changes while the token is waited for', async () => {
    let inView = ALICE;
    const token = (): Promise<string> => {
      inView = BOB;
      return Promise.resolve('secret of bob');
    };
    const { http, requests } = bench(done, { accountInView: () => inView, token });
    await expect(cancel(http)).rejects.toMatchObject({ reason: 'AccountChanged' });
    expect(requests).toEqual([]);
  });

  test('nor on a second try after silence', async () => {
    let inView = ALICE;
    const silence = (): Promise<Response> => {
      inView = BOB;
      return Promise.reject(new TypeError('Failed to fetch'));
    };
    const { http, requests } = bench(silence, { accountInView: () => inView });
    const place = http.call(
      'transfer',
      { body: { coin: 'USDC', amount: '1', from: 'spot', to: 'futures', transferId: 'a' } },
      { as: ALICE },
    );
    await expect(place).rejects.toMatchObject({ reason: 'AccountChanged' });
    expect(requests).toHaveLength(1);
  });
});
