/** Orders given over the stream: each request is answered under its id, in the words of the HTTP call of the same name. */
import {
  batchOf,
  ok,
  StreamRequest,
  STREAM_PATH,
  SUCCESS,
  ApiError,
  type Principal,
  type RateClass,
  type StreamOperation,
} from '@orrery/api';
import { unreachable } from '@orrery/units';
import { orderIdsOf, ordersOf, type Answered, type OrderDesk } from '../orders/order-desk.ts';
import type { Charges } from '../limits/charges.ts';
import { refusalOf } from '../http/refuse.ts';
import { validatorOf, type Validator } from '../input/validate.ts';
import type { KeyProof, Who } from '../signing/who.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import type { Tickets } from './tickets.ts';

export interface RequestPorts {
  readonly desk: OrderDesk;
  readonly who: Who;
  readonly tickets: Tickets;
  readonly charges: Charges;
  readonly connections: Connections;
}

type OrderRequest = Exclude<StreamRequest, { op: 'login' | 'loginKey' }>;
type StreamRequestSchema = (typeof StreamRequest.anyOf)[number];

const validators = new Map<string, Validator<StreamRequestSchema>>(
  StreamRequest.anyOf.map((schema) => [schema.properties.op.const, validatorOf(schema)]),
);

const BATCHES: ReadonlySet<StreamOperation> = new Set<StreamOperation>(['order.batchCreate', 'order.batchCancel']);
const DONE = ok(null);

export class StreamRequests {
  readonly #ports: RequestPorts;

  constructor(ports: RequestPorts) {
    this.#ports = ports;
  }

  /**
   * Answers every request, in its time; one without a usable `id` is answered under id 0. What comes after a login waits for it: of that there is a promise,
   * which does not reject.
   * @param onRefused called when the request was refused before it was charged as an order, or for its rate: who is refused too often is
   * closed.
   */
  take(
    connection: Connection,
    message: { readonly op?: unknown; readonly id?: unknown },
    onRefused: (connection: Connection) => void,
  ): Promise<void> | undefined {
    const id = typeof message.id === 'number' && Number.isSafeInteger(message.id) && message.id >= 0 ? message.id : 0;
    let isCharged = false;
    const refuse = (error: unknown): void => {
      const { code, message: msg, data } = refusalOf(error);
      connection.say(JSON.stringify({ resType: 'reply', id, code, msg, seq: 0, data }));
      if (!isCharged || data.reason === 'TooManyRequests') onRefused(connection);
    };
    try {
      const validate = typeof message.op === 'string' ? validators.get(message.op) : undefined;
      if (validate === undefined) throw new ApiError('MalformedField', { field: 'op' });
      const request = validate(message);
      if (request.op === 'login' || request.op === 'loginKey') {
        const reply = JSON.stringify({ resType: 'reply', id, code: SUCCESS, msg: 'success', seq: 0, data: null });
        return this.#login(connection, request).then(() => connection.say(reply), refuse);
      }
      const trader = this.#traderOf(connection);
      this.#charge(connection, trader, CLASSES[request.op], 1);
      isCharged = true;
      this.#answer(connection, trader, request).then(({ seq, data }) => {
        const { code, msg } = BATCHES.has(request.op) && Array.isArray(data) ? batchOf(data) : DONE;
        connection.say(`{"resType":"reply","id":${id},"code":${code},"msg":"${msg}","seq":${seq},"data":${JSON.stringify(data)}}`);
      }, refuse);
    } catch (error) {
      refuse(error);
    }
    return undefined;
  }

  #answer(connection: Connection, trader: Principal, request: OrderRequest): Promise<Answered<unknown>> {
    const { desk } = this.#ports;
    switch (request.op) {
      case 'order.create':
        return desk.create(trader.account, request.params);
      case 'order.oco':
        return desk.createPair(trader.account, request.params);
      case 'order.cancel':
        return desk.cancel(trader.account, request.params);
      case 'order.update':
        return desk.update(trader.account, request.params);
      case 'order.cancelAll':
        return desk.cancelAll(trader.account, request.params);
      case 'order.batchCreate': {
        const orders = ordersOf(request.params);
        this.#charge(connection, trader, 'order', orders.length - 1);
        return request.params.allOrNothing === true ? desk.createTogether(trader.account, orders) : desk.createEach(trader.account, orders);
      }
      case 'order.batchCancel': {
        const orderIds = orderIdsOf(request.params);
        this.#charge(connection, trader, 'cancel', orderIds.length - 1);
        return request.params.allOrNothing === true
          ? desk.cancelTogether(trader.account, orderIds)
          : desk.cancelEach(trader.account, orderIds);
      }
      default:
        return unreachable(request);
    }
  }

  async #login(connection: Connection, request: Extract<StreamRequest, { op: 'login' | 'loginKey' }>): Promise<void> {
    const { who, tickets, charges, connections } = this.#ports;
    charges.stranger(connection.network);
    if (request.op === 'loginKey') await who.learnKey(request.params.accessKey);
    const principal =
      request.op === 'login' ? await tickets.use(request.params.token) : await who.ofKey(keyProofOf(request.params, connection.ip));
    if (principal === undefined) throw new ApiError('NotSignedIn', { field: 'token' });
    connections.admit(connection, who.admit(principal).account);
    connection.trader = principal;
  }

  /** Asked at every order: a session may have ended, or its account been blocked, since the login. */
  #traderOf({ trader }: Connection): Principal {
    if (trader === undefined) throw new ApiError('NotSignedIn');
    if (trader.permission !== 'TRADE') throw new ApiError('PermissionMissing');
    return this.#ports.who.admit(trader);
  }

  #charge({ network }: Connection, { account, tier }: Principal, rateClass: RateClass, count: number): void {
    this.#ports.charges.items(rateClass, { network, name: account, tier }, count);
  }
}

/** Signed as a GET of the stream's path with neither query nor body: but what it opens changes things. */
const keyProofOf = ({ version, timestamp, ...params }: Extract<StreamRequest, { op: 'loginKey' }>['params'], ip: string): KeyProof => ({
  ...params,
  timestamp: String(timestamp),
  isLegacy: version !== 2,
  method: 'GET',
  path: STREAM_PATH,
  query: '',
  bodyText: '',
  parameters: [],
  ip,
  changes: true,
});

const CLASSES = {
  'order.create': 'order',
  'order.oco': 'order',
  'order.cancel': 'cancel',
  'order.batchCreate': 'order',
  'order.batchCancel': 'cancel',
  'order.cancelAll': 'cancel',
  'order.update': 'order',
} as const satisfies Record<Exclude<StreamOperation, 'login' | 'loginKey'>, RateClass>;
