/** The calls about push messages: each is about the browser of its session. */
import { createECDH } from 'node:crypto';
import { ApiError, type Handlers, type pushRoutes } from '@orrery/api';
import type { Push } from './push.ts';
import { isOfPushService } from './push-services.ts';

export const pushHandlers = (push: Push, now: () => number): Handlers<typeof pushRoutes> => ({
  pushState: ({ principal }) => push.stateOf(principal.credential),

  async setPush({ principal: { account, credential: sessionId }, body }) {
    const { endpoint, p256dh, auth, ...chosen } = body;
    if (!isOfPushService(endpoint, push.services)) throw new ApiError('MalformedField', { field: 'endpoint' });
    if (!isPoint(p256dh)) throw new ApiError('MalformedField', { field: 'p256dh' });
    const choice = { ...chosen, createdTime: now() };
    await push.set({ sessionId, account, target: { endpoint, p256dh, auth }, ...choice });
    return choice;
  },

  async endPush({ principal }) {
    await push.end(principal.credential);
    return null;
  },
});

/** Of P-256: nothing can be encrypted for another. */
function isPoint(key: string): boolean {
  const ours = createECDH('prime256v1');
  ours.generateKeys();
  try {
    return ours.computeSecret(Buffer.from(key, 'base64url')).length > 0;
  } catch {
    return false;
  }
}
