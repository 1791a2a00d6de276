import { type Command, HeartError, type Receipt } from '@orrery/protocol';
import { accountId, millis, seq } from '@orrery/units';
import { expect, onTestFinished, test } from 'vitest';
import { type ReceivedSpan, SpanReceiver } from '../testing/span-receiver.ts';
import { traceReceiver } from '../trace-receiver.ts';
import { SPANS_MAX, startTraces } from './start-traces.ts';

const MILLION = 1_000_000;
const BATCH = 512;
const CANCEL: Command = { type: 'CancelOrder', account: accountId(7), orderId: 0, clientOrderId: 'mine' };
const RECEIPT: Receipt = { seq: seq(1), at: millis(1), events: [] };
const OURS = { requestId: 'the-id-of-the-request', method: 'POST', path: '/order', traceparent: undefined };
const THEIRS = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;

async function opened({ ppm = MILLION, role = 'all', login = '' } = {}) {
  const receiver = await SpanReceiver.start();
  const changes: (string | undefined)[] = [];
  const receiverOf = traceReceiver(receiver.url.replace('//', `//${login}`), ppm);
  if (receiverOf === undefined) throw new Error('no receiver');
  const { traces, stop } = startTraces({ receiver: receiverOf, environment: 'test', role }, (error) => changes.push(error?.message));
  onTestFinished(async () => {
    receiver.release();
    await stop();
    await receiver.stop();
  });
  return { receiver, traces, stop, changes };
}

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.filter((span) => span.name === name);
  if (found.length !== 1 || found[0] === undefined) throw new Error(`${found.length} spans are named ${name}`);
  return found[0];
};

test('a request, its command and the stages of the heart are one trace, in their order of time', async () => {
  const { traces, receiver, stop } = await opened({ login: 'name:pass%20word@' });
  const call = traces.begin(OURS);
  const answer = Promise.withResolvers<Receipt>();
  let submitted: Promise<Receipt> | undefined;
  call.within(() => {
    submitted = traces.submitted(CANCEL, () => answer.promise);
  });
  answer.resolve(RECEIPT);
  traces.onGroup({ commands: 3, bytes: 1, queueMs: 1, applyMs: 2, journalMs: 4, answerMs: 1 });
  expect(await submitted).toBe(RECEIPT);
  call.end(200);
  await stop();
  const { spans } = receiver;
  const request = named(spans, 'POST /order');
  const submit = named(spans, 'submit CancelOrder');
  expect(request).toMatchObject({
    service: 'orrery-all',
    parentSpanId: undefined,
    attributes: { 'orrery.request_id': OURS.requestId, 'http.route': '/order', 'http.response.status_code': 200 },
  });
  expect(submit.parentSpanId).toBe(request.spanId);
  expect(submit.attributes).toEqual({
    'orrery.command': 'CancelOrder',
    'orrery.client_order_id': 'mine',
    'orrery.seq': 1,
    'orrery.group_commands': 3,
  });
  const stages = ['queue', 'apply', 'journal', 'publish'].map((name) => named(spans, name));
  expect(stages.map(({ parentSpanId }) => parentSpanId)).toEqual(stages.map(() => submit.spanId));
  expect(stages.slice(1).map(({ startNano }) => startNano)).toEqual(stages.slice(0, -1).map(({ endNano }) => endNano));
  expect(receiver.raw[0]).toContain(`"authorization":"Basic ${Buffer.from('name:pass word').toString('base64')}"`);
});

test('the header of a caller is linked and never continued, and forces no sampling', async () => {
  const { traces, receiver, stop } = await opened();
  traces.begin({ ...OURS, traceparent: THEIRS }).end(200);
  traces.begin({ ...OURS, path: '/other', traceparent: 'x'.repeat(8_000) }).end(undefined);
  await stop();
  const span = named(receiver.spans, 'POST /order');
  expect(span).toMatchObject({ links: ['ab'.repeat(16)], parentSpanId: undefined });
  expect(span.traceId).not.toBe('ab'.repeat(16));
  expect(named(receiver.spans, 'POST /other').links).toEqual([]);
  const none = await opened({ ppm: 0 });
  const call = none.traces.begin({ ...OURS, traceparent: THEIRS });
  call.within(() => {
    expect(none.traces.sending()).toBeUndefined();
    void none.traces.submitted(CANCEL, () => Promise.resolve(RECEIPT));
  });
  call.end(200);
  await none.stop();
  expect(none.receiver.requests).toBe(0);
});

test('what one process sends another continues; a repetition is only answered', async () => {
  const [gateway, heart] = [await opened({ role: 'gateway,worker,projector' }), await opened({ role: 'heart', ppm: 0 })];
  expect(heart.traces.taken(undefined)).toBeUndefined();
  expect(heart.traces.taken(THEIRS.replace(/01$/, '00'))).toBeUndefined();
  await gateway.traces.submitted(CANCEL, async () => {
    const sending = gateway.traces.sending();
    const taken = heart.traces.taken(sending?.traceparent);
    const repeated = heart.traces.taken(sending?.traceparent);
    await taken?.submit(CANCEL, () => Promise.resolve(RECEIPT));
    taken?.answered();
    repeated?.answered();
    sending?.end('answered');
    return RECEIPT;
  });
  await Promise.all([gateway.stop(), heart.stop()]);
  const [sent, taken] = [gateway.receiver.spans, heart.receiver.spans];
  const request = named(sent, 'request to the heart');
  expect(named(taken, 'heart CancelOrder')).toMatchObject({
    traceId: request.traceId,
    parentSpanId: request.spanId,
    service: 'orrery-heart',
  });
  expect(named(taken, 'answer').parentSpanId).toBe(named(taken, 'heart CancelOrder').spanId);
  expect(named(taken, 'heart')).toMatchObject({ parentSpanId: request.spanId, attributes: { 'orrery.submitted': false } });
  expect(named(sent, 'follow').parentSpanId).toBe(named(sent, 'submit CancelOrder').spanId);
});

test('a failure of the heart is the same failure, and its text is in no span', async () => {
  const { traces, receiver, stop } = await opened();
  const failure = new HeartError({ failure: 'overloaded', outcomeUnknown: false, message: 'a text of somebody' });
  await expect(traces.submitted(CANCEL, () => Promise.reject(failure))).rejects.toBe(failure);
  await stop();
  expect(receiver.raw.join('')).toContain('overloaded');
  expect(receiver.raw.join('')).not.toContain('a text of somebody');
});

test('a receiver that does not answer delays no command, and no more spans wait for it than may', async () => {
  const { traces, receiver, stop, changes } = await opened();
  receiver.mode = 'hold';
  for (let count = 0; count < 3 * SPANS_MAX; count += 1) await traces.submitted(CANCEL, () => Promise.resolve(RECEIPT));
  // All are answered, and the receiver has answered nothing.
  await expect.poll(() => receiver.requests).toBe(1);
  receiver.release();
  await stop();
  expect(changes).toEqual([]);
  expect(receiver.spans.length).toBeGreaterThan(BATCH);
  expect(receiver.spans.length).toBeLessThanOrEqual(SPANS_MAX + BATCH);
});

test('a receiver that fails is reported once, and once when it takes spans again', async () => {
  const { traces, receiver, changes } = await opened();
  const send = async (): Promise<void> => {
    await traces.submitted(CANCEL, () => Promise.resolve(RECEIPT));
  };
  receiver.mode = 'fail';
  await send();
  await expect.poll(() => changes.length).toBe(1);
  const { requests } = receiver;
  await send();
  await expect.poll(() => receiver.requests).toBeGreaterThan(requests);
  receiver.mode = 'take';
  await send();
  await expect.poll(() => receiver.spans.length).toBeGreaterThan(0);
  await expect.poll(() => changes).toEqual(['Internal Server Error', undefined]);
});

test('where nobody listens commands are answered, and the stop ends', async () => {
  const { traces, receiver, stop, changes } = await opened();
  await receiver.stop();
  expect(await traces.submitted(CANCEL, () => Promise.resolve(RECEIPT))).toBe(RECEIPT);
  await expect.poll(() => changes.length).toBe(1);
  await stop();
});
