/** What a device is, as far as the steps of an installation differ. */
interface Agent {
  readonly userAgent: string;
  /** An iPad calls itself a Macintosh, which has none. */
  readonly touchPoints: number;
}

export const isIos = ({ userAgent, touchPoints }: Agent): boolean =>
  /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && touchPoints > 1);

/** Whether a host name is of the machine that the browser runs on: no other device gets there by it. */
export const isOwnMachine = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || host.startsWith('127.');
