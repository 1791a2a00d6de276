/**
 * What must hold of the facts of the OTC desk, command by command (OT1): an order takes the steps that there are, by whom and when they may be taken, ends once, and what ended with the
 * coin released brought it to its buyer. What lies in escrow is added up from facts alone.
 */
import type { Applied, Event, OtcOrderCreated, OtcOrderStepped, OtcStatus } from '@orrery/protocol';
import type { AccountId, AdvertisementId, AssetId, OtcOrderId } from '@orrery/units';
import { Violation } from '../violation.ts';

const STEPS: Readonly<Record<OtcStatus, readonly OtcStatus[]>> = {
  CREATED: ['PAID', 'CANCELLED', 'EXPIRED'],
  PAID: ['RELEASED', 'CANCELLED', 'DISPUTED'],
  DISPUTED: ['RELEASED', 'RETURNED'],
  RELEASED: [],
  RETURNED: [],
  CANCELLED: [],
  EXPIRED: [],
};

/** What a snapshot says of the accounts of the exchange. */
interface Balances {
  readonly systemBalances: readonly { readonly system: string; readonly asset: AssetId; readonly free: bigint }[];
}

export class OtcAudit {
  readonly #orders = new Map<OtcOrderId, { readonly made: OtcOrderCreated; status: OtcStatus; deadline: number }>();
  readonly #forSale = new Map<AdvertisementId, { readonly asset: AssetId; readonly amount: bigint }>();
  readonly #deposits = new Map<AccountId, { readonly asset: AssetId; readonly amount: bigint }>();
  /** Funding wallets, by account and asset. */
  readonly #funding = new Map<string, bigint>();

  follow({ seq, at, command, events }: Applied): void {
    const released = events.find((event) => event.type === 'OtcOrderStepped' && event.status === 'RELEASED');
    const before = released?.type === 'OtcOrderStepped' ? this.#fundingOf(released.buyer, released.asset) : 0n;
    for (const event of events) this.#one(seq, at, event);
    if (released?.type !== 'OtcOrderStepped' || command.type !== 'ReleaseOtcOrder') return;
    const received = this.#fundingOf(released.buyer, released.asset) - before;
    if (received !== released.amount)
      throw new Violation(
        'OT1',
        `command ${seq} releases ${released.amount} of order ${released.order}, and its buyer has ${received} more`,
      );
  }

  compare({ systemBalances }: Balances): void {
    const sums = new Map<AssetId, bigint>();
    const add = (asset: AssetId, amount: bigint): void => void sums.set(asset, (sums.get(asset) ?? 0n) + amount);
    for (const { asset, amount } of this.#forSale.values()) add(asset, amount);
    for (const { asset, amount } of this.#deposits.values()) add(asset, amount);
    for (const { made, status } of this.#orders.values()) if (STEPS[status].length > 0) add(made.asset, made.amount);
    for (const { system, asset, free } of systemBalances) if (system === 'OTC_ESCROW') add(asset, -free);
    for (const [asset, sum] of sums)
      if (sum !== 0n) throw new Violation('OT1', `what lies in escrow of asset ${asset} is by ${sum} not what the facts say`);
  }

  #fundingOf(account: AccountId, asset: AssetId): bigint {
    return this.#funding.get(`${account} ${asset}`) ?? 0n;
  }

  #one(seq: number, at: number, event: Event): void {
    switch (event.type) {
      case 'BalanceChanged':
        if (event.wallet === 'funding') this.#funding.set(`${event.account} ${event.asset}`, event.free);
        break;
      case 'AdvertisementPublished':
      case 'AdvertisementChanged':
        if (event.side === 'sell') this.#forSale.set(event.advertisement, { asset: event.asset, amount: event.available });
        break;
      case 'OtcOrderCreated':
        if (this.#orders.has(event.order)) throw new Violation('OT1', `command ${seq} makes order ${event.order} again`);
        this.#orders.set(event.order, { made: event, status: 'CREATED', deadline: event.deadline });
        break;
      case 'OtcOrderStepped':
        this.#step(seq, at, event);
        break;
      case 'OtcDeadlinesMoved':
        for (const one of this.#orders.values()) if (one.deadline > event.since) one.deadline += event.by;
        break;
      case 'MerchantDeposited':
        this.#deposits.set(event.account, event);
        break;
      case 'MerchantDepositReturned':
        this.#deposits.delete(event.account);
        break;
      case 'MerchantDepositPaid':
        this.#deposits.set(event.account, { asset: event.asset, amount: event.left });
        break;
      default:
        break;
    }
  }

  #step(seq: number, at: number, { order, status, by }: OtcOrderStepped): void {
    const known = this.#orders.get(order);
    if (known === undefined) throw new Violation('OT1', `command ${seq} steps order ${order}, which nobody made`);
    const { made, status: from, deadline } = known;
    if (!STEPS[from].includes(status)) throw new Violation('OT1', `command ${seq}: order ${order} goes from ${from} to ${status}`);
    const isInTime = status === 'EXPIRED' ? at >= deadline : status !== 'PAID' || at < deadline;
    if (!isInTime) throw new Violation('OT1', `command ${seq}: order ${order} is ${status} at ${at}, and its window ends at ${deadline}`);
    if (!mayStep({ made, from, status, by })) throw new Violation('OT1', `command ${seq}: order ${order} is made ${status} by ${by}`);
    known.status = status;
  }
}

interface Taken extends Pick<OtcOrderStepped, 'status' | 'by'> {
  readonly made: OtcOrderCreated;
  readonly from: OtcStatus;
}

/** 0 is a timer or an arbiter. */
function mayStep({ made: { buyer, seller }, from, status, by }: Taken): boolean {
  if (status === 'PAID' || status === 'CANCELLED') return by === buyer;
  if (status === 'DISPUTED') return by === 0 || by === buyer || by === seller;
  return status === 'RELEASED' && from === 'PAID' ? by === seller : by === 0;
}
