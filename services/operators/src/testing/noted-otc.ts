/** Disputes and merchants of the OTC desk, in memory. */
import { ApiError, type OtcDispute, type OtcDisputeDetail, type OtcMerchantState } from '@orrery/api';
import type { Address } from '@orrery/units';
import type { OtcDecided, OtcMerchantDecided, OtcPaymentWanted, OtcPort } from '../ports.ts';

export class NotedOtc implements OtcPort {
  readonly open: {
    readonly orderId: string;
    readonly operators: 1 | 2;
    readonly sides: readonly Address[];
    awaited: number | undefined;
  }[] = [];
  readonly decided: OtcDecided[] = [];
  readonly paid: OtcPaymentWanted[] = [];
  readonly said: string[] = [];
  readonly applied = new Map<string, OtcMerchantState>();
  /** Thrown at the next decisions, in turn. */
  readonly faults: Error[] = [];
  readonly disputes = {
    list: () => Promise.resolve({ list: [], total: 0 }),
    find: async (orderId: string) => ({ ...OTC_DISPUTE, orderId, operators: this.#find(orderId).operators }),
    detail: async (orderId: string) => ({ ...OTC_DETAIL, orderId, operators: this.#find(orderId).operators }),
    isSide: async (orderId: string, addresses: readonly Address[]) => this.#find(orderId).sides.some((side) => addresses.includes(side)),
    awaited: async (orderId: string) => this.#find(orderId).awaited,
    say: async (orderId: string, text: string) => void this.said.push(`${orderId} ${text}`),
    decide: async (decided: OtcDecided) => {
      const fault = this.faults.shift();
      if (fault !== undefined) throw fault;
      const order = this.#find(decided.orderId);
      if (order.awaited !== decided.nth) return;
      order.awaited = undefined;
      this.decided.push(decided);
    },
    checkPayment: async ({ orderId }: OtcPaymentWanted) => void this.#find(orderId),
    pay: async (payment: OtcPaymentWanted) => void this.paid.push(payment),
  };
  readonly merchants = {
    applications: () => Promise.resolve({ list: [], total: 0 }),
    stateOfTrader: async (traderId: string) => this.applied.get(traderId),
    decide: async ({ traderId, decision }: OtcMerchantDecided) => void this.applied.set(traderId, decision),
  };

  #find(orderId: string) {
    const order = this.open.find((each) => each.orderId === orderId);
    if (order === undefined) throw new ApiError('UnknownThing', { field: 'orderId' });
    return order;
  }
}

const OTC_DISPUTE: Omit<OtcDispute, 'orderId' | 'operators'> = {
  status: 'DISPUTED',
  coin: 'USDC',
  amount: '100',
  currency: 'usd',
  total: '100',
  worth: '100',
  buyer: 1,
  seller: 2,
  disputedTime: 0,
  state: 'WAITING',
};

const OTC_PARTY: OtcDisputeDetail['sides']['buyer'] = {
  account: 1,
  trader: {
    traderId: '0123456789ab',
    nickname: 'Trader 0123',
    merchant: false,
    verified: false,
    finished: 0,
    completionRate: null,
    medianReleaseSeconds: null,
    positive: 0,
    negative: 0,
  },
  verifiedName: null,
  statements: [],
  receipts: [],
};

const OTC_DETAIL: Omit<OtcDisputeDetail, 'orderId' | 'operators' | 'conflict'> = {
  ...OTC_DISPUTE,
  price: '1',
  serverTime: 0,
  steps: [],
  paymentMethods: [],
  sides: { buyer: OTC_PARTY, seller: { ...OTC_PARTY, account: 2 } },
  messages: [],
  decision: null,
  deposit: '0',
  depositPaid: false,
};
