/** For tests: what is over in perpetual contracts, as far as a gateway alone can know it: the closed orders. */
import type { AccountId, Atoms, OrderId } from '@orrery/units';
import { NO_ATOMS } from '@orrery/units';
import type { OrderState } from '@orrery/views';
import type { ContractHistory, CursorPage, PageOf } from '../ports.ts';

const NOTHING = { items: [], total: 0, next: null };
const NO_PAGE = { hasPrev: false, hasNext: false, next: null, items: [] };

export class MemoryContractHistory implements ContractHistory {
  readonly #closed: OrderState[] = [];

  take(state: OrderState): void {
    if (state.status === 'closed') this.#closed.unshift({ ...state });
  }

  async orders(query: Parameters<ContractHistory['orders']>[0]): Promise<PageOf<OrderState>> {
    const { account, market, side, sources, page, size } = query;
    const found = this.#closed.filter(
      ({ order }) =>
        order.account === account &&
        (market === undefined || order.market === market) &&
        (side === undefined || order.side === side) &&
        (sources === undefined || (order.contract !== undefined && sources.includes(order.contract.source))),
    );
    return { items: found.slice((page - 1) * size, page * size), total: found.length, next: null };
  }

  async order({ account, orderId }: { account: AccountId; orderId: OrderId }): Promise<OrderState | undefined> {
    return this.#closed.find(({ order }) => order.account === account && order.orderId === orderId);
  }

  async closeProfits(): Promise<ReadonlyMap<OrderId, Atoms>> {
    return new Map();
  }

  async fills(): Promise<PageOf<never>> {
    return NOTHING;
  }

  async closedPositions(): Promise<PageOf<never>> {
    return NOTHING;
  }

  async liquidations(): Promise<PageOf<never>> {
    return NOTHING;
  }

  async twaps(): Promise<PageOf<never>> {
    return NOTHING;
  }

  async bills(): Promise<CursorPage<never>> {
    return NO_PAGE;
  }

  async fundingPayments(): Promise<CursorPage<never>> {
    return NO_PAGE;
  }

  async fundingRates(): Promise<CursorPage<never>> {
    return NO_PAGE;
  }

  async insurance(): Promise<CursorPage<never>> {
    return NO_PAGE;
  }

  async tierVolume(): Promise<Atoms> {
    return NO_ATOMS;
  }
}
