/** For tests: sends a request exactly as it is written, and says what is wrong with an answer. */
import { request, type Agent } from 'node:http';
import { API_FAULTS, ITEMS_REFUSED, SUCCESS } from '@orrery/api';
import { REJECT_REASONS } from '@orrery/protocol';
import type { WireCall } from './malformed-call.ts';

export interface WireAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export function send(base: string, agent: Agent, { method, url, headers, body }: WireCall): Promise<WireAnswer> {
  const { hostname, port } = new URL(base);
  const lines = [['host', `${hostname}:${port}`], ...headers, ...(body === undefined ? [] : [['content-length', String(body.length)]])];
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path: url, headers: lines.flat() }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? '',
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const REASONS: ReadonlySet<unknown> = new Set([...Object.keys(API_FAULTS), ...REJECT_REASONS]);
/** Refusals that are of one field. */
const OF_A_FIELD: ReadonlySet<unknown> = new Set([
  'MalformedField',
  'MissingField',
  'UnknownField',
  'RepeatedField',
  'NotYours',
  'UnknownThing',
]);
const INSIDES = /node_modules|\.ts:\d|\bat async|Error:|SELECT |\/work\/|\/tmp\//;

/** What is wrong with an answer to anything at all; nothing when it is as the contract says. */
export function flawOf({ status, type, text }: WireAnswer): string | undefined {
  if (status >= 500) return `status ${status}`;
  if (!type.startsWith('application/json')) return `the type is "${type}"`;
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null || Object.keys(answer).sort().join() !== 'code,data,msg') return 'no envelope';
  const [code, msg, data] = ['code', 'msg', 'data'].map((name): unknown => Reflect.get(answer, name));
  if (!Number.isSafeInteger(code)) return 'the code is no number';
  if (typeof msg !== 'string' || msg === '') return 'no message';
  const isTaken = code === SUCCESS || code === ITEMS_REFUSED;
  if (isTaken !== (status === 200)) return `code ${String(code)} with status ${status}`;
  if (code === ITEMS_REFUSED) return INSIDES.test(text) ? 'shows our insides' : Array.isArray(data) ? undefined : 'no answers to the items';
  return isTaken ? undefined : flawOfRefusal(text, data);
}

export function flawOfRefusal(text: string, data: unknown): string | undefined {
  if (INSIDES.test(text)) return 'shows our insides';
  if (typeof data !== 'object' || data === null) return 'no reason';
  const [reason, field] = ['reason', 'field'].map((name): unknown => Reflect.get(data, name));
  if (!REASONS.has(reason)) return `the reason is ${String(reason)}`;
  if (typeof field !== 'string') return 'the field is no text';
  if (OF_A_FIELD.has(reason) && field === '') return `${String(reason)} without a field`;
  return undefined;
}
