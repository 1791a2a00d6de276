import { expect, test } from 'vitest';
import type { Message } from './message.ts';
import { Outbox, OUTBOX_MAX } from './outbox.ts';

const letter = (subject: string): Message => ({ kind: 'email', to: 'alice@example.org', subject, text: 'secret 123456' });

test('messages leave in their order, and one that is refused is tried again', async () => {
  const sent: string[] = [];
  let refusals = 2;
  const email = (message: Message): Promise<void> => {
    if (message.subject === 'second' && refusals > 0) {
      refusals -= 1;
      return Promise.reject(new Error('busy'));
    }
    sent.push(message.subject);
    return Promise.resolve();
  };
  const troubles: unknown[] = [];
  const outbox = new Outbox({ posts: { email, text: undefined }, onTrouble: (error) => troubles.push(error), retryAfterMs: [0, 0] });
  for (const subject of ['first', 'second', 'third']) outbox.put(letter(subject));
  expect(sent).toEqual([]);
  await outbox.settled();
  expect(sent).toEqual(['first', 'second', 'third']);
  expect(troubles).toEqual([]);
});

test('one that is refused each time is reported without its receiver and its text, and the next one leaves', async () => {
  const sent: string[] = [];
  const email = (message: Message): Promise<void> =>
    message.subject === 'lost' ? Promise.reject(new Error('no such mailbox')) : Promise.resolve(void sent.push(message.subject));
  const troubles: string[] = [];
  const outbox = new Outbox({ posts: { email, text: undefined }, onTrouble: (error) => troubles.push(String(error)), retryAfterMs: [0] });
  outbox.put(letter('lost'));
  outbox.put(letter('next'));
  await outbox.stop();
  expect(sent).toEqual(['next']);
  expect(troubles).toHaveLength(1);
  expect(troubles.join()).not.toMatch(/alice|123456/);
});

test('at the bound one more is dropped and reported', async () => {
  let sent = 0;
  const troubles: unknown[] = [];
  const outbox = new Outbox({
    posts: { email: () => Promise.resolve(void (sent += 1)), text: undefined },
    onTrouble: (error) => troubles.push(error),
  });
  for (let count = 0; count < OUTBOX_MAX + 1; count += 1) outbox.put(letter(String(count)));
  await outbox.settled();
  expect([sent, troubles.length]).toEqual([OUTBOX_MAX, 1]);
});
