/** Notifications on a device, by Web Push: what is sent to the browser of this session, and how much it says. */
import { Type, type Static } from 'typebox';
import { Millis, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

export const PUSH_CATEGORIES = ['FILLS', 'LIQUIDATION', 'DEPOSITS', 'OTC'] as const;

export const PushCategory = Type.Enum(PUSH_CATEGORIES, {
  description: 'fills of orders, positions close to their liquidation, deposits that are credited, steps of OTC orders',
});
export type PushCategory = Static<typeof PushCategory>;

const chosen = {
  categories: Type.Array(PushCategory, { maxItems: PUSH_CATEGORIES.length, uniqueItems: true }),
  showAmounts: Type.Boolean({
    description: 'whether messages name coins, prices and amounts; without it they only say what kind of thing happened',
  }),
};

export const PushChoice = Type.Object({ ...chosen, createdTime: Millis });
export type PushChoice = Static<typeof PushChoice>;

export const PushState = Type.Object({
  publicKey: nullable(
    Type.String({
      description:
        'of the exchange, for which a browser subscribes: base64url of an uncompressed P-256 point; null where nothing is pushed',
    }),
  ),
  choice: nullable(PushChoice),
});
export type PushState = Static<typeof PushState>;

export const pushRoutes = routes({
  pushState: {
    method: 'GET',
    path: '/pro/u/push/state',
    access: 'session',
    rate: 'read',
    summary: 'What is pushed to the browser of this session.',
    response: PushState,
  },
  setPush: {
    method: 'POST',
    path: '/pro/u/push/set',
    access: 'session',
    rate: 'manage',
    summary:
      'Push to the browser of this session, in place of what it had before, until the session ends. A browser gets the messages of one session: the newest that has subscribed it.',
    body: strict({
      endpoint: Type.String({ minLength: 1, maxLength: 1_024, description: 'of a push service that the exchange knows' }),
      p256dh: Type.String({ maxLength: 87, pattern: '^[0-9a-zA-Z_-]{87}$', description: 'key of the subscription, base64url' }),
      auth: Type.String({ maxLength: 22, pattern: '^[0-9a-zA-Z_-]{22}$', description: 'secret of the subscription, base64url' }),
      ...chosen,
    }),
    response: PushChoice,
  },
  endPush: {
    method: 'POST',
    path: '/pro/u/push/end',
    access: 'session',
    rate: 'manage',
    summary: 'Push nothing to the browser of this session any more.',
    body: strict({}),
    response: Type.Null(),
  },
});
