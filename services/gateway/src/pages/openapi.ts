/** What is mounted as an OpenAPI 3.1 document, made from the tables that the gateway itself obeys: a call that is not in it is not there. */
import { ACCOUNT_HEADER, envelope, FaultEnvelope, SIGNED_HEADERS, STALE_HEADER, type Mounted, type Route } from '@orrery/api';
import { plain } from './plain-schema.ts';
import { REASON_LIST, refusalsBy, responsesOf } from './refusals.ts';
import type { Schema } from './reference-schema.ts';
import { tagOf, tagsOf, type Tag } from './tags.ts';

type Json = Record<string, unknown>;

export interface Parameter {
  readonly name: string;
  readonly in: 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: Schema } };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly never[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content & { readonly required: boolean };
  readonly responses: { readonly 200: Content & Json } & Json;
}

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly description: string; readonly license: Json };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly Tag[];
  readonly components: {
    readonly responses: Readonly<Record<string, Json>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string } & Json>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export function openApi(version: string, mounted: readonly Mounted[]): OpenApiDocument {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const { name, route } of mounted) {
    for (const path of [route.path, ...(route.aliases ?? [])]) {
      const operationId = path === route.path ? name : `${name}At${path.replaceAll(/[^a-z0-9]+/gi, '_')}`;
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(operationId, route) };
    }
  }
  return {
    openapi: '3.1.1',
    info: { title: 'Orrery', version, description: INTRODUCTION, license: LICENSE },
    servers: [{ url: '/' }],
    tags: tagsOf(mounted),
    components: {
      responses: refusalsBy(mounted.map(({ route }) => route)),
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'the access token of /pro/p/auth/verify' },
        operator: { type: 'apiKey', in: 'cookie', name: '__Host-orrery-operator', description: 'the cookie of /pro/o/auth/login' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Access-Key', description: SIGNING },
      },
      schemas: { Refusal: { ...plain(FaultEnvelope), description: `What a refusal can be, by its code:\n\n${REASON_LIST}` } },
    },
    paths,
  };
}

export const LICENSE = { name: 'Apache-2.0', identifier: 'Apache-2.0' } as const;

const INTRODUCTION = [
  'Spot and perpetual futures on a test network. Every answer is `{ code, msg, data }`; code 0 is success, and the HTTP status fits as well.',
  'Amounts are decimal text, times unix milliseconds.',
  'A refusal has changed nothing, but for OutcomeUnknown (HTTP 504), Internal and Upstream: such a call may have been done. Ask again with the same `clientOrderId`, or look before you do it again.',
  `A call that carries the header \`${ACCOUNT_HEADER}\`, the id of an account, is refused as AccountChanged when its session or key is another account's.`,
].join(' ');

const SIGNING = [
  `Headers ${Object.values(SIGNED_HEADERS).join(', ')}.`,
  'With `x-signature-version: 2` the signature is HMAC-SHA256 in hex, keyed by the text of the secret, over six lines joined by a line feed: the method,',
  'the path, the query string as sent (empty without one), the SHA-256 of the body in hex (of nothing without a body), the nonce, the timestamp.',
  'Each signature is good once. Without that header it is a legacy signature, over `k1=v1&k2=v2&timestamp=<ms>`: the parameters in the order sent, or',
  'sorted by name; without parameters `&timestamp=<ms>`; a JSON body is one more parameter, `body`, with its raw text. Every key reads by it; only a key',
  'made with `legacySigning` changes something by it, and two equal changes need two timestamps. A legacy read may be repeated for a second.',
  'The nonce has 8 to 64 letters, digits or hyphens. The timestamp is unix milliseconds, good for 5 seconds; what was signed before the exchange last',
  'started is refused. The stream is logged in to by a signature of `GET` of its path, without query and body, with `version: 2` among the parameters.',
].join(' ');

const STALE = {
  headers: {
    [STALE_HEADER]: { schema: { type: 'integer' }, description: 'while history is stale: unix milliseconds up to which it is complete' },
  },
};

function operation(operationId: string, route: Route): Operation {
  const parameters = Object.entries(propertiesOf(route.query)).map(([name, schema]): Parameter => ({
    name,
    in: 'query',
    required: requiredOf(route.query).includes(name),
    schema,
  }));
  return {
    operationId,
    summary: route.summary,
    tags: [tagOf(route)],
    security: securityOf(route),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined
      ? {}
      : { requestBody: { required: !route.bodyFromQuery, content: { 'application/json': { schema: plain(route.body) } } } }),
    responses: {
      200: {
        description: 'success',
        ...(route.readsHistory ? STALE : {}),
        content: { 'application/json': { schema: plain(envelope(route.response)) } },
      },
      ...responsesOf(route),
    },
  };
}

function securityOf({ access }: Route): Operation['security'] {
  if (access === 'public' || access === 'cookie') return [];
  if (access === 'operator') return [{ operator: [] }];
  return access === 'session' ? [{ session: [] }] : [{ session: [] }, { apiKey: [] }];
}

const propertiesOf = (schema: object | undefined): Readonly<Record<string, Schema>> =>
  schema === undefined ? {} : (plain(schema).properties ?? {});
const requiredOf = (schema: object | undefined): readonly string[] => (schema === undefined ? [] : (plain(schema).required ?? []));
