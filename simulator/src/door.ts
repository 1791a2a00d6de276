/** The gateway's logic without sockets: who, how often, with what; then the handler, then the answer. */
import {
  balanceRoutes,
  billRoutes,
  futuresEntrustRoutes,
  futuresOrderRoutes,
  futuresPositionRoutes,
  mount,
  orderRoutes,
  permits,
  transferRoutes,
  withdrawalRoutes,
  ApiError,
  type Caller,
  type Mounted,
  type Principal,
  type Route,
} from '@orrery/api';
import type { Heart } from '@orrery/protocol';
import { assert, type Seq } from '@orrery/units';
import { LIMITS, type Authenticator, type History } from '@orrery/gateway';
import { positionHandlers } from '../../services/gateway/src/futures/futures-account.ts';
import { FuturesDesk } from '../../services/gateway/src/futures/futures-desk.ts';
import { entrustHandlers, futuresOrderHandlers } from '../../services/gateway/src/futures/futures-orders.ts';
import type { ContractHistory } from '../../services/gateway/src/ports.ts';
import { assetHandlers } from '../../services/gateway/src/orders/assets.ts';
import type { Floor } from '../../services/gateway/src/floor.ts';
import { inputReader } from '../../services/gateway/src/input/input.ts';
import { OrderDesk } from '../../services/gateway/src/orders/order-desk.ts';
import { orderHandlers } from '../../services/gateway/src/orders/orders.ts';
import { Buckets } from '../../services/gateway/src/limits/rates.ts';
import { ReadBarrier } from '../../services/gateway/src/orders/read-barrier.ts';
import { refusalOf } from '../../services/gateway/src/http/refuse.ts';
import { SignatureCheck } from '../../services/gateway/src/signing/signature.ts';
import type { Timer } from '@orrery/foundation';
import { Who } from '../../services/gateway/src/signing/who.ts';

export interface Call {
  readonly route: RouteName;
  readonly token: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export type Answer =
  /** `seq` of the command that the answer came of; undefined of a read. */
  | { readonly kind: 'ok'; readonly data: unknown; readonly seq: Seq | undefined }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string; readonly field: string };

const TABLE = {
  ...orderRoutes,
  ...balanceRoutes,
  ...transferRoutes,
  ...billRoutes,
  ...withdrawalRoutes,
  ...futuresOrderRoutes,
  ...futuresEntrustRoutes,
  ...futuresPositionRoutes,
};
export type RouteName = keyof typeof TABLE;

/** Compiled once: a program that starts again reads by the same schemas. */
const READERS = new Map<Route, ReturnType<typeof inputReader>>(Object.values(TABLE).map((route) => [route, inputReader(route)]));

export interface DoorPorts {
  readonly heart: Heart;
  readonly floor: Floor;
  readonly history: History;
  readonly contractHistory: ContractHistory;
  readonly authenticator: Authenticator;
  readonly now: () => number;
  readonly timer: Timer;
}

export class Door {
  readonly #ports: DoorPorts;
  readonly #mounted: ReadonlyMap<Route, Mounted>;
  readonly #buckets: Buckets;
  readonly #who: Who;

  constructor(ports: DoorPorts) {
    const { heart, floor, history, contractHistory, authenticator, now, timer } = ports;
    const barrier = new ReadBarrier({ heart, floor, history, waitMs: LIMITS.http.minSeqWaitMs, timer });
    const futures = { desk: new FuturesDesk({ heart, floor, barrier }), floor, contractHistory, barrier, now };
    const mounted = [
      ...mount(orderRoutes, orderHandlers({ desk: new OrderDesk({ heart, floor, history, barrier }), floor, history, barrier })),
      ...mount(
        { ...balanceRoutes, ...transferRoutes, ...billRoutes, ...withdrawalRoutes },
        assetHandlers({ heart, floor, history, barrier, authenticator, contracts: new Set(), now }),
      ),
      ...mount(futuresOrderRoutes, futuresOrderHandlers(futures)),
      ...mount(futuresEntrustRoutes, entrustHandlers(futures)),
      ...mount(futuresPositionRoutes, positionHandlers(futures)),
    ];
    this.#ports = ports;
    this.#mounted = new Map(mounted.map((each) => [each.route, each]));
    this.#buckets = new Buckets(now);
    this.#who = new Who({
      authenticator,
      signatures: new SignatureCheck({ now, wallMs: now, startedAt: now(), monotonicMs: now }),
      accounts: floor.accounts,
      now,
    });
  }

  async call(call: Call): Promise<Answer> {
    try {
      return await this.#answer(call);
    } catch (error) {
      const { status, data } = refusalOf(error);
      return { kind: 'refused', status, reason: data.reason, field: data.field };
    }
  }

  async #answer({ route: name, token, query, body }: Call): Promise<Answer> {
    const route: Route = TABLE[name];
    const mounted = this.#mounted.get(route);
    const read = READERS.get(route);
    assert(mounted !== undefined && read !== undefined, `${name} is mounted`);
    const principal = this.#who.admit(this.#ports.authenticator.session(token));
    if (!permits(principal, route.access)) throw new ApiError('PermissionMissing');
    this.#charge(route, principal, 1);
    let seq: Seq | undefined;
    const caller: Caller = {
      ip: '127.0.0.1',
      neighbourhood: undefined,
      userAgent: 'simulated',
      origin: 'http://localhost',
      cookies: {},
      bearer: token,
      setCookie: () => undefined,
      committed: (committed) => (seq = committed),
      weigh: (items) => {
        if (items > 1) this.#charge(route, principal, items - 1);
      },
    };
    const data = await mounted.answer({ principal, ...read(Object.entries(query ?? {}), body), caller });
    return { kind: 'ok', data, seq };
  }

  #charge(route: Route, principal: Principal, count: number): void {
    const rate = LIMITS.rates[principal.tier][route.rate];
    this.#buckets.take(route.rate, principal.account, rate, count);
  }
}
