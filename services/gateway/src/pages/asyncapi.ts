/** The streams as an AsyncAPI 3 document, from the schemas that the gateway itself obeys. */
import { LICENSE } from './openapi.ts';
import { plain } from './plain-schema.ts';
import { exampleOf } from './reference-schema.ts';
import { type Stream, type StreamMessageText, STREAMS } from './stream-messages.ts';

interface Ref {
  readonly $ref: string;
}

interface Message {
  readonly name: string;
  readonly title: string;
  readonly contentType: string;
  /** As JSON Schema draft 7 writes it, which AsyncAPI takes. */
  readonly payload: Readonly<Record<string, unknown>>;
  readonly examples: readonly { readonly payload: unknown }[];
}

export interface AsyncApiDocument {
  readonly asyncapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string; readonly license: object };
  readonly defaultContentType: string;
  readonly servers: Readonly<Record<string, object>>;
  readonly channels: Readonly<
    Record<string, { readonly address: string; readonly description: string; readonly messages: Readonly<Record<string, Ref>> }>
  >;
  readonly operations: Readonly<
    Record<
      string,
      {
        readonly action: 'send' | 'receive';
        readonly summary: string;
        readonly channel: Ref;
        readonly messages: readonly Ref[];
      }
    >
  >;
  readonly components: { readonly messages: Readonly<Record<string, Message>> };
}

const INTRODUCTION = [
  'The WebSockets of spot and of perpetual contracts. The application of this document is the exchange: it receives what a client sends.',
  'Amounts are decimal text, times unix milliseconds. The private stream of spot is opened by a ticket, that of contracts by a listen key.',
].join(' ');

const SERVER = {
  host: '{host}',
  protocol: 'wss',
  description: 'The host of the page; without TLS, on the own machine, the protocol is ws.',
  variables: { host: { default: '127.0.0.1:8080', description: 'host and port' } },
};

export function asyncApi(version: string): AsyncApiDocument {
  return {
    asyncapi: '3.0.0',
    info: { title: 'Orrery streams', version, description: INTRODUCTION, license: { name: LICENSE.name, url: LICENSE_URL } },
    defaultContentType: 'application/json',
    servers: { exchange: SERVER },
    channels: Object.fromEntries(STREAMS.map((stream) => [stream.name, channelOf(stream)])),
    operations: Object.fromEntries(STREAMS.flatMap(operationsOf)),
    components: { messages: Object.fromEntries(STREAMS.flatMap((stream) => allOf(stream).map((text) => messageOf(stream, text)))) },
  };
}

const LICENSE_URL = 'https://www.apache.org/licenses/LICENSE-2.0';

/** Both sides send `pong`: it is one message. */
const allOf = ({ fromClient, fromServer }: Stream): readonly StreamMessageText[] => [
  ...fromClient,
  ...fromServer.filter(({ name }) => fromClient.every((text) => text.name !== name)),
];

const channelOf = (stream: Stream) => ({
  address: stream.path,
  description: stream.description,
  messages: Object.fromEntries(allOf(stream).map(({ name }) => [name, { $ref: `#/components/messages/${keyOf(stream, name)}` }])),
});

function operationsOf(stream: Stream): [string, AsyncApiDocument['operations'][string]][] {
  const { name, fromClient, fromServer } = stream;
  const channel = { $ref: `#/channels/${name}` };
  const refs = (texts: readonly StreamMessageText[]) => texts.map((text) => ({ $ref: `#/channels/${name}/messages/${text.name}` }));
  return [
    [`${name}FromClient`, { action: 'receive', summary: 'What a client sends.', channel, messages: refs(fromClient) }],
    [`${name}FromExchange`, { action: 'send', summary: 'What the exchange sends.', channel, messages: refs(fromServer) }],
  ];
}

const keyOf = ({ name }: Stream, message: string): string => `${name}.${message}`;

function messageOf(stream: Stream, { name, schema }: StreamMessageText): [string, Message] {
  const shape = plain(schema);
  const contentType = shape.type === 'string' ? 'text/plain' : 'application/json';
  const payload = JSON.parse(JSON.stringify(schema)) as Message['payload'];
  return [keyOf(stream, name), { name, title: shape.description ?? name, contentType, payload, examples: [{ payload: exampleOf(shape) }] }];
}
