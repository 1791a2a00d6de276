/** Whether an address may trade and claim already. */
import { Type } from 'typebox';
import { AddressText, strict } from './fields.ts';
import { routes } from './route.ts';

const Email = Type.String({ minLength: 3, maxLength: 254, pattern: '^[^\\s@\\u0000-\\u001f]{1,64}@[^\\s@\\u0000-\\u001f]{1,189}$' });

export const whitelistRoutes = routes({
  checkWhitelist: {
    method: 'POST',
    path: '/faucet/api/check-whitelist',
    access: 'public',
    rate: 'whitelist',
    summary:
      'Whether an address is on the whitelist. Asked with the token of its own session, it is put in the queue that is let in on Mondays at ' +
      '12:00 UTC; an e-mail is taken with such a token only.',
    body: strict({ address: AddressText, email: Type.Optional(Email) }),
    response: Type.Object({ inWhitelist: Type.Boolean() }),
  },
});
