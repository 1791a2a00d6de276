import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Closing } from '../closing.ts';
import { readConfig } from '../config.ts';
import { hasNats, NatsServer } from '../testing/nats-server.ts';
import type { Surroundings } from '../surroundings.ts';
import { openPeers, type PeerSubject } from './peers.ts';

const SOON = { timeout: 15_000, interval: 10 };

describe.skipIf(!hasNats())('what processes say to each other', () => {
  let nats: NatsServer;
  let closing: Closing;
  beforeEach(async () => {
    nats = await NatsServer.start();
    closing = new Closing(() => undefined);
  });
  afterEach(async () => {
    await closing.run();
    await nats.kill();
  });

  async function join(of: PeerSubject) {
    const config = readConfig({ ORRERY_EVENTS: `nats://127.0.0.1:${nats.port}`, ORRERY_ROLE: 'heart' });
    const surroundings: Surroundings = { config, closing, log: pino({ level: 'silent' }), onFatal: () => undefined };
    const peers = await openPeers(surroundings, of);
    const heard: string[] = [];
    peers.onMessage((message) => heard.push(message));
    return { peers, heard };
  }

  test('is heard by the others of one subject, and neither by itself nor by those of the other subject', async () => {
    const [one, two, third] = [await join('ended'), await join('ended'), await join('gateways')];
    await expect
      .poll(() => {
        one.peers.send('said');
        return two.heard[0];
      }, SOON)
      .toBe('said');
    expect([one.heard, third.heard]).toEqual([[], []]);
  });

  test('while there is no server is lost, and what is said again after it has come back is heard', async () => {
    const [one, two] = [await join('ended'), await join('ended')];
    await nats.kill();
    await new Promise((resolve) => setTimeout(resolve, 200));
    one.peers.send('lost');
    await nats.start();
    await expect
      .poll(() => {
        one.peers.send('again');
        return two.heard.length;
      }, SOON)
      .toBeGreaterThan(0);
    expect(new Set(two.heard)).toEqual(new Set(['again']));
  });
});
