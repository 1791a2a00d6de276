/** For tests: a push service of this machine, and browsers that subscribe to it. It opens what it receives as a browser does, by RFC 8291, with nothing of the library that sealed it. */
import { createDecipheriv, createECDH, createPublicKey, type ECDH, hkdfSync, randomBytes, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

export interface ReceivedPush {
  readonly device: string;
  readonly text: string;
  readonly headers: IncomingMessage['headers'];
}

export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

interface Device {
  readonly ecdh: ECDH;
  readonly auth: Buffer;
}

export class PushStandIn {
  readonly url: string;
  readonly received: ReceivedPush[] = [];
  /** What is answered from now on. */
  status = 201;
  /** Nothing is answered before. */
  held: Promise<void> | undefined;
  /** Where `status` leads elsewhere. */
  location = '/elsewhere';
  /** Of everything that was called. */
  readonly paths: string[] = [];
  readonly #server: Server;
  readonly #devices = new Map<string, Device>();

  private constructor(server: Server) {
    this.#server = server;
    const address = server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#take(request, response));
  }

  static async open(): Promise<PushStandIn> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new PushStandIn(server);
  }

  /** A browser that subscribes. */
  subscribe(): PushTarget {
    const [ecdh, auth, device] = [createECDH('prime256v1'), randomBytes(16), randomBytes(9).toString('base64url')];
    ecdh.generateKeys();
    this.#devices.set(device, { ecdh, auth });
    return { endpoint: `${this.url}/send/${device}`, p256dh: ecdh.getPublicKey('base64url'), auth: auth.toString('base64url') };
  }

  /** What one browser was sent, oldest first. */
  of({ endpoint }: Pick<PushTarget, 'endpoint'>): readonly ReceivedPush[] {
    return this.received.filter(({ device }) => endpoint.endsWith(`/${device}`));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: path = '', headers } = request;
    this.paths.push(path);
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part as Uint8Array);
    const name = path.replace('/send/', '');
    const device = this.#devices.get(name);
    if (device !== undefined && this.status < 300)
      this.received.push({ device: name, text: opened(Buffer.concat(parts), device), headers });
    await this.held;
    response.writeHead(device === undefined ? 404 : this.status, { location: this.location }).end();
  }
}

/** RFC 8291 and 8188: the salt, the size of a record, and the sender's key stand before one record. */
function opened(body: Buffer, { ecdh, auth }: Device): string {
  const [salt, keyLength] = [body.subarray(0, 16), body[20] ?? 0];
  const [sender, record] = [body.subarray(21, 21 + keyLength), body.subarray(21 + keyLength)];
  const derived = (key: Buffer, saltOf: Buffer, info: Buffer | string, length: number): Buffer =>
    Buffer.from(hkdfSync('sha256', key, saltOf, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), ecdh.getPublicKey(), sender]);
  const key = derived(ecdh.computeSecret(sender), auth, info, 32);
  const cipher = createDecipheriv(
    'aes-128-gcm',
    derived(key, salt, 'Content-Encoding: aes128gcm\0', 16),
    derived(key, salt, 'Content-Encoding: nonce\0', 12),
  );
  cipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}

/** Whether a header of VAPID, RFC 8292, is signed by the key it names. @returns that key and what is claimed. */
export function vapidOf(authorization: string | undefined): { readonly publicKey: string; readonly claims: Record<string, unknown> } {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization ?? '') ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const key = createPublicKey({
    format: 'jwk',
    key: { kty: 'EC', crv: 'P-256', x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
  });
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('the token is not signed by the key that it names');
  return { publicKey, claims: JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as Record<string, unknown> };
}
