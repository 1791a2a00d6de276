/** Where traces are sent: ORRERY_TRACES is the address of a receiver, and what gets in there stands in it as in every address. */
import { StartError } from './start-error.ts';

export interface TraceReceiver {
  /** Of OTLP over HTTP, with the path of spans, without a name and a password. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests in a million that are traced. */
  readonly ppm: number;
}

const SPANS_PATH = '/v1/traces';

/** @throws StartError naming the variable. */
export function traceReceiver(text: string | undefined, ppm: number): TraceReceiver | undefined {
  if (text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || url.search !== '' || url.hash !== '')
    throw new StartError('ORRERY_TRACES must be an address such as http://127.0.0.1:4318, without a query');
  const { username, password } = url;
  const path = url.pathname.replace(/\/+$/, '');
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  return {
    url: `${url.origin}${path.endsWith(SPANS_PATH) ? path : `${path}${SPANS_PATH}`}`,
    headers: username === '' && password === '' ? {} : { authorization: `Basic ${credentials}` },
    ppm,
  };
}
