/** Signature version 4, as object stores of the S3 kind check it: over one request whose body is known. */
import { createHash, createHmac } from 'node:crypto';

export interface S3Keys {
  readonly accessKey: string;
  readonly secret: string;
  readonly region: string;
}

interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  /** Its query must be in order and encoded. */
  readonly url: URL;
  readonly body: Uint8Array;
  readonly at: Date;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
const SIGNED_HEADERS = 'host;x-amz-content-sha256;x-amz-date';

/** The headers that the request must carry. */
export function s3Headers({ accessKey, secret, region }: S3Keys, { method, url, body, at }: S3Request): Record<string, string> {
  const time = at.toISOString().replaceAll(/[:-]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const bodyHash = sha256(body);
  const headers = `host:${url.host}\nx-amz-content-sha256:${bodyHash}\nx-amz-date:${time}\n`;
  const canonical = [method, url.pathname, url.search.slice(1), headers, SIGNED_HEADERS, bodyHash].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>((from, part) => hmac(from, part), `AWS4${secret}`);
  const signature = hmac(key, [ALGORITHM, time, scope, sha256(canonical)].join('\n')).toString('hex');
  return {
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
    authorization: `${ALGORITHM} Credential=${accessKey}/${scope},SignedHeaders=${SIGNED_HEADERS},Signature=${signature}`,
  };
}

const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
