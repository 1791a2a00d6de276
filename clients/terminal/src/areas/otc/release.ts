/** The release of a coin: proven by the second factor where one is bound, else by the wallet over exactly what goes to whom. */
import { otcReleaseStatement } from '@orrery/api';
import type { CallBody, OtcOrderDetail } from '@orrery/api';
import type { By } from '../../kit/storage/account-in-view.ts';
import { ask } from '../../platform/data/calls.ts';
import { give } from '../../platform/factors/factor.ts';
import type { FactorState } from '../../platform/factors/factor.ts';
import { signFor } from '../../platform/session/session.ts';

type Proof = Omit<CallBody['releaseOtcOrder'], 'orderId'>;

interface Releasing {
  readonly order: Pick<OtcOrderDetail, 'orderId' | 'coin' | 'amount' | 'counterpart'>;
  /** One that is bound, where there is one. */
  readonly factor: Pick<FactorState, 'way' | 'code'>;
  /** Of the wallet that signs. */
  readonly address: string;
}

async function prove({ order, factor, address }: Releasing): Promise<Proof> {
  const { orderId, coin, amount, counterpart } = order;
  const released = { orderId, coin, amount, buyer: counterpart.traderId };
  if (factor.way !== undefined) {
    const { google, passkey } = await give(factor, { otcRelease: released });
    return { ...(google !== undefined && { google }), ...(passkey !== undefined && { passkey }) };
  }
  return signFor({ address, purpose: 'otc-release', statement: otcReleaseStatement(released) });
}

/** Released again, nothing more happens: without an answer it may be sent once more. */
export async function releaseOrder(releasing: Releasing, by: By): Promise<void> {
  const proof = await prove(releasing);
  await ask('releaseOtcOrder', { body: { orderId: releasing.order.orderId, ...proof } }, by);
}
