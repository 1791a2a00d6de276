/** What a handler may know of the connection, read only when it asks. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SEQ_HEADER, type Caller, type CookieOptions } from '@orrery/api';
import type { Seq } from '@orrery/units';
import type { Hosts } from './host.ts';
import type { Origins } from './origin.ts';
import { neighbourhoodOf } from '../limits/network.ts';
import { bearerOf } from '../signing/who.ts';

const USER_AGENT_LENGTH_MAX = 256;

export class RequestCaller implements Caller {
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #origins: Origins;
  readonly #hosts: Hosts;
  readonly #charge: (more: number) => void;

  constructor(options: { request: FastifyRequest; reply: FastifyReply; origins: Origins; hosts: Hosts; charge: (more: number) => void }) {
    this.#request = options.request;
    this.#reply = options.reply;
    this.#origins = options.origins;
    this.#hosts = options.hosts;
    this.#charge = options.charge;
  }

  get ip(): string {
    return this.#request.ip;
  }

  get neighbourhood(): string | undefined {
    return neighbourhoodOf(this.#request.ip);
  }

  get userAgent(): string {
    return (this.#request.headers['user-agent'] ?? '').slice(0, USER_AGENT_LENGTH_MAX);
  }

  get origin(): string {
    return this.#origins.of(this.#request.headers.origin, this.#hosts.originOf(this.#request.raw));
  }

  get cookies(): Readonly<Record<string, string | undefined>> {
    return this.#request.server.parseCookie(this.#request.headers.cookie ?? '');
  }

  get bearer(): string | undefined {
    return bearerOf(this.#request.headers);
  }

  setCookie(name: string, value: string, { maxAgeSeconds, ...options }: CookieOptions): void {
    this.#reply.setCookie(name, value, { ...options, maxAge: maxAgeSeconds });
  }

  committed(seq: Seq): void {
    this.#reply.header(SEQ_HEADER, seq);
  }

  weigh(items: number): void {
    if (items > 1) this.#charge(items - 1);
  }
}
