/** What a refusal can be, and which HTTP statuses a call refuses with, derived from what the gateway checks before it. */
import { API_FAULTS, ApiError, isApiFault, type FaultName, type Route } from '@orrery/api';
import { REJECT_REASONS } from '@orrery/protocol';

const FAULT_NAMES: readonly FaultName[] = [...REJECT_REASONS, ...Object.keys(API_FAULTS).filter(isApiFault)];

/** Every refusal there is. */
export const REASONS = FAULT_NAMES.map((name) => {
  const { code, status, message } = new ApiError(name);
  return { name, code, status, message };
});

export const REASON_LIST = REASONS.map(({ name, code, status, message }) => `- \`${code}\` ${name} (HTTP ${status}): ${message}`).join(
  '\n',
);

type Responses = Readonly<Record<string, { readonly $ref: string }>>;

/** What the gateway refuses before the call itself decides. */
function faultsOf({ access, query, body, upload }: Route): readonly FaultName[] {
  const hasInput = query !== undefined || body !== undefined || upload === true;
  return [
    ...(hasInput ? (['MalformedField'] as const) : []),
    ...(access === 'public' ? [] : (['NotSignedIn'] as const)),
    ...(access === 'public' || access === 'cookie' ? [] : (['PermissionMissing', 'AccountChanged'] as const)),
    'TooManyRequests',
  ];
}

const statusesOf = (route: Route): readonly number[] => [...new Set(faultsOf(route).map((name) => new ApiError(name).status))];

/** Statuses of every refusal that the gateway makes itself, and `default`: what the call itself refuses is among the reasons. */
export const responsesOf = (route: Route): Responses => ({
  ...Object.fromEntries(statusesOf(route).map((status) => [status, { $ref: `#/components/responses/Refused${status}` }])),
  default: { $ref: '#/components/responses/Refused' },
});

const CONTENT = { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } };

/** The responses that these calls refer to. */
export function refusalsBy(routes: readonly Route[]): Readonly<Record<string, { description: string; content: typeof CONTENT }>> {
  const statuses = [...new Set(routes.flatMap(statusesOf))].toSorted((one, other) => one - other);
  const named = statuses.map((status) => {
    const names = REASONS.filter((reason) => reason.status === status).map(({ name }) => name);
    return [`Refused${status}`, { description: `refused: ${names.join(', ')}`, content: CONTENT }] as const;
  });
  return { ...Object.fromEntries(named), Refused: { description: 'refused, for one of the reasons there are', content: CONTENT } };
}
