/** The calls about the identity of a person. */
import type { Handlers, identityRoutes } from '@orrery/api';
import type { Identities } from './identities.ts';

export const identityHandlers = ({ identities }: { readonly identities: Identities }): Handlers<typeof identityRoutes> => ({
  identityAuth: ({ principal: { account }, body }) => identities.handIn(account, body),
  nameJudge: ({ principal: { account }, body }) => identities.judge(account, body.realName),
});
