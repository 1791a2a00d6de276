/** Every failure becomes one envelope with a fitting status; nothing of our insides leaves. */
import type { FastifyReply } from 'fastify';
import { ApiError, refusal, REQUEST_ID_HEADER, type ApiFault } from '@orrery/api';
import { HeartError, type HeartFailure } from '@orrery/protocol';

const FRAMEWORK_FAULTS: Readonly<Record<string, ApiFault>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'BodyTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UnsupportedMediaType',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'MalformedBody',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'MalformedBody',
  FST_ERR_CTP_INVALID_JSON_BODY: 'MalformedBody',
  FST_ERR_BAD_URL: 'NotFound',
  FST_ERR_MAX_PARAM_LENGTH: 'UriTooLong',
  FST_ERR_ASYNC_CONSTRAINT: 'NotFound',
};

const HEART_FAULTS = {
  stopped: 'NotNow',
  overloaded: 'Overloaded',
  cancelsOnly: 'DiskFull',
  unencodable: 'MalformedBody',
  readOnly: 'NotNow',
} as const satisfies Record<HeartFailure, ApiFault>;

/** Seconds after which the same call may succeed. */
const RETRY_SECONDS = 1;

/** The refusal that a failure amounts to. Ours to blame when nothing better is known. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof HeartError) {
    const { failure, outcomeUnknown, message } = error;
    // Without a time to wait: who has no name for it must not do it again.
    if (outcomeUnknown) return new ApiError('OutcomeUnknown', { cause: error });
    const more = failure === 'readOnly' ? { message } : {};
    return new ApiError(HEART_FAULTS[failure], { retryAfterSeconds: RETRY_SECONDS, cause: error, ...more });
  }
  const code = codeOf(error);
  const fault = code === undefined ? undefined : FRAMEWORK_FAULTS[code];
  if (fault !== undefined) return new ApiError(fault);
  if (isFrameworks(error)) return new ApiError('MalformedBody');
  return new ApiError('Internal', { cause: error });
}

export function answerError(error: unknown, reply: FastifyReply): void {
  const refused = refusalOf(error);
  if (refused.status >= 500) logFailure(error, refused, reply);
  if (refused.retryAfterSeconds !== undefined) reply.header('retry-after', refused.retryAfterSeconds);
  const { data, ...rest } = refusal(refused);
  reply
    .code(refused.status)
    .headers(API_HEADERS)
    .header(REQUEST_ID_HEADER, reply.request.id)
    .send({ ...rest, data: { ...data, requestId: reply.request.id } });
}

/** A missing answer is not a bug of the program: it is logged without a stack trace. */
function logFailure(error: unknown, { data: { reason }, message, retryAfterSeconds, cause }: ApiError, reply: FastifyReply): void {
  const { id: requestId, method, routeOptions } = reply.request;
  const call = { requestId, method, route: routeOptions.url ?? null, reason };
  if (retryAfterSeconds !== undefined && cause === undefined) reply.log.warn(call, `a call was put off: ${message}`);
  else reply.log.error({ err: error, ...call }, 'a call failed');
}

/** Of every answer of the API. */
export const API_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;

const codeOf = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : undefined;

/** Fastify blames the caller with a status of its own. */
const isFrameworks = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'statusCode' in error && typeof error.statusCode === 'number' && error.statusCode < 500;
