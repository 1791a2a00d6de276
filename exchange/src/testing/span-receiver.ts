/** A receiver of OTLP over HTTP in JSON, for a test: what came, decoded, and as the bytes that it was. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedSpan {
  /** Of the process that made it. */
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly startNano: bigint;
  readonly endNano: bigint;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Trace ids of its links. */
  readonly links: readonly string[];
}

interface SentAttribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly boolValue?: boolean };
}

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes?: readonly SentAttribute[];
  readonly links?: readonly { readonly traceId: string }[];
}

interface Sent {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly SentAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

export class SpanReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** Of each request: its headers and its body, as text. */
  readonly raw: string[] = [];
  /** What it answers from now on; `hold` answers nothing until `release`. */
  mode: 'take' | 'fail' | 'hold' = 'take';
  requests = 0;
  readonly #server: Server;
  readonly #held: ServerResponse[] = [];

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<SpanReceiver> {
    const server = createServer();
    const receiver = new SpanReceiver(server);
    server.on('request', (request, response) => {
      receiver.requests += 1;
      const { mode } = receiver;
      void text(request).then(
        (body) => receiver.#take(mode, { body, head: JSON.stringify(request.headers), response }),
        () => response.destroy(),
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  release(): void {
    this.mode = 'take';
    for (const response of this.#held.splice(0)) response.end('{}');
  }

  async stop(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  #take(mode: SpanReceiver['mode'], { body, head, response }: { body: string; head: string; response: ServerResponse }): void {
    if (mode === 'fail') {
      response.writeHead(500).end();
      return;
    }
    this.raw.push(head, body);
    this.spans.push(...spansOf(JSON.parse(body) as Sent));
    if (mode === 'hold') this.#held.push(response);
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
}

const spansOf = ({ resourceSpans }: Sent): readonly ReceivedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => received(service, span)));
  });

const received = (service: string, span: SentSpan): ReceivedSpan => ({
  service,
  name: span.name,
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId === '' ? undefined : span.parentSpanId,
  startNano: BigInt(span.startTimeUnixNano),
  endNano: BigInt(span.endTimeUnixNano),
  attributes: valuesOf(span.attributes ?? []),
  links: (span.links ?? []).map(({ traceId }) => traceId),
});

const valuesOf = (attributes: readonly SentAttribute[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    attributes.map(({ key, value: { stringValue, intValue, boolValue, ...rest } }) => [key, stringValue ?? intValue ?? boolValue ?? rest]),
  );
