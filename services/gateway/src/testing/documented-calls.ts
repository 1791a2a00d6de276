/** For tests: the calls of an OpenAPI document. Nothing is known of them but what stands there. */
import type { Shape } from './arbitrary.ts';

export interface DocumentedCall {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** The parameters of the address as one object. */
  readonly query: Shape;
  readonly body: Shape | undefined;
  /** The parameters of the body may stand in the address instead. */
  readonly bodyFromQuery: boolean;
  /** Not for everybody. */
  readonly isPrivate: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Shape }[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, { readonly schema: Shape }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** The calls of the program at `base`, as it documents them itself. */
export async function documentedCalls(base: string): Promise<readonly DocumentedCall[]> {
  const { paths } = (await (await fetch(`${base}/docs/openapi.json`)).json()) as Document;
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => documentedCall(method.toUpperCase(), path, operation)),
  );
}

function documentedCall(method: string, path: string, { operationId, security, parameters = [], requestBody }: Operation): DocumentedCall {
  const inAddress = parameters.filter((parameter) => parameter.in === 'query');
  return {
    name: operationId,
    method,
    path,
    query: {
      type: 'object',
      properties: Object.fromEntries(inAddress.map(({ name, schema }) => [name, schema])),
      required: inAddress.filter(({ required }) => required).map(({ name }) => name),
    },
    body: requestBody?.content['application/json']?.schema,
    bodyFromQuery: requestBody?.required === false,
    isPrivate: security.length > 0,
  };
}
