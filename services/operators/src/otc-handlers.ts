/** The calls about OTC trading: disputes, payments from deposits, merchants. */
import { addressField, ApiError, type Handlers, type otcDeskRoutes } from '@orrery/api';
import { listOf, type Parts, sliceOf } from './handlers.ts';

export const otcDeskHandlers = ({ db, audit, desk, otc, arbiters, proposals }: Parts): Handlers<typeof otcDeskRoutes> => ({
  otcArbiter: ({ principal }) => arbiters.of(principal),
  declareOtcArbiter: ({ principal, body }) =>
    arbiters.declare(
      principal,
      body.addresses.map((text) => addressField(text, 'addresses')),
    ),
  otcDisputes: async ({ query: { state, ...slice } }) => listOf(await otc.disputes.list(sliceOf(slice), state)),
  async otcDispute({ principal, body: { orderId } }) {
    const detail = await otc.disputes.detail(orderId, principal.operatorId);
    await db.transaction().execute((tx) => audit.append(tx, { operator: principal.name, action: 'OTC_VIEW', detail: { orderId } }));
    return { ...detail, conflict: await arbiters.isSide(principal, orderId) };
  },
  async sendOtcDeskMessage({ principal, body: { orderId, text } }) {
    await arbiters.check(principal, orderId);
    await otc.disputes.say(orderId, text);
    await db
      .transaction()
      .execute((tx) => audit.append(tx, { operator: principal.name, action: 'OTC_MESSAGE', detail: { orderId, text } }));
    return null;
  },
  async decideOtcDispute({ principal, body: { orderId, outcome, reason } }) {
    await arbiters.check(principal, orderId);
    return desk.inTurn(`otc order ${orderId}`, async () => {
      const { operators } = await otc.disputes.find(orderId);
      const nth = await otc.disputes.awaited(orderId);
      if (nth === undefined) throw new ApiError('UnknownThing', { field: 'orderId', message: 'this dispute waits for no decision' });
      const change = { kind: 'OTC_DECISION' as const, orderId, nth, outcome, reason };
      if (operators === 2) return { proposalId: (await proposals.propose(principal, change)).proposalId };
      await desk.change(principal.name, change);
      return { proposalId: null };
    });
  },
  async payFromOtcDeposit({ principal, body }) {
    await arbiters.check(principal, body.orderId);
    await otc.disputes.checkPayment(body);
    return proposals.propose(principal, { kind: 'OTC_PAYMENT', ...body });
  },
  otcApplications: async ({ query }) => listOf(await otc.merchants.applications(sliceOf(query))),
  async decideOtcMerchant({ principal, body: { traderId, decision, reason = null } }) {
    if (decision === 'REFUSED' && reason === null) throw new ApiError('MissingField', { field: 'reason' });
    if (decision === 'APPROVED' && reason !== null)
      throw new ApiError('MalformedField', { field: 'reason', message: 'reason is for the person who is refused' });
    const change = { kind: 'OTC_MERCHANT' as const, traderId, decision, reason };
    return desk.changeInTurn(principal.name, change, async () => {
      const state = await otc.merchants.stateOfTrader(traderId);
      if (state !== 'WAITING' && !(state === 'APPROVED' && decision === 'REFUSED'))
        throw new ApiError('UnknownThing', { field: 'traderId', message: 'no application of this trader waits' });
    });
  },
});
