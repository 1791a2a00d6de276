/** Deleting an account: asked for by its owner, or decided by two operators; called off until its time has come. */
import { Type, type Static } from 'typebox';
import { Millis, nullable, strict } from './fields.ts';
import { freshProof } from './name.ts';
import { routes } from './route.ts';

export const Erasure = Type.Object({
  askedBy: Type.Enum(['OWNER', 'OPERATORS']),
  askedTime: Millis,
  dueTime: Type.Integer({ description: 'from when on it is done, unix milliseconds; until then it can be called off' }),
  abandon: Type.Boolean({ description: 'what the account still has then is given up' }),
});
export type Erasure = Static<typeof Erasure>;

const own = { access: 'session', rate: 'manage', sameOrigin: true } as const;

export const erasureRoutes = routes({
  erasure: {
    method: 'GET',
    path: '/pro/u/account/erasure',
    access: 'session',
    rate: 'manage',
    summary: 'How long the deletion of an account waits, and when this one will be deleted; null where nobody has asked for it.',
    response: Type.Object({ waitSeconds: Type.Integer(), waiting: nullable(Erasure) }),
  },
  eraseAccount: {
    ...own,
    method: 'DELETE',
    path: '/pro/u/account',
    summary:
      'Delete the account after a waiting time of days, with a signed nonce of purpose erasure or the password, and the code of the app where one is bound. ' +
      'Then its sessions and API keys end, and what is personal can be read by nobody any more. Refused while it has money or positions, unless `abandon` is true.',
    body: strict({ ...freshProof, abandon: Type.Optional(Type.Boolean({ description: 'give up what the account still has' })) }),
    response: Erasure,
  },
  keepAccount: {
    ...own,
    method: 'POST',
    path: '/pro/u/account/keep',
    summary: 'Call off the deletion of the account, while it waits.',
    body: strict({}),
    response: Type.Null(),
  },
});
