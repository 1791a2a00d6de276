/** Brings a wallet to the exchange's chain, and sorts out in which way it would not go. */

export type NetworkSwitch = 'alreadyThere' | 'switched' | 'missing' | 'declined' | 'failed';
/** Someone who only looks does not mind a "no": a refusal is then as good as being there. */
export type SwitchPurpose = 'check' | 'act';

export interface SwitchableWallet {
  chainId(): Promise<number>;
  requestSwitch(chainId: number): Promise<void>;
}

const NOT_ADDED = 4902;
const REJECTED = 4001;
const CAUSES_MAX = 8;

interface ErrorFacts {
  readonly codes: readonly unknown[];
  readonly text: string;
}

function own(error: object, name: string): unknown {
  return Object.getOwnPropertyDescriptor(error, name)?.value;
}

/** Libraries wrap the wallet's error in their own: every layer is read. */
function factsOf(error: unknown): ErrorFacts {
  const codes: unknown[] = [];
  const texts: string[] = [];
  let layer: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && typeof layer === 'object' && layer !== null; depth += 1) {
    codes.push(own(layer, 'code'));
    for (const name of ['name', 'message']) {
      const text = layer instanceof Error ? layer[name === 'name' ? 'name' : 'message'] : own(layer, name);
      if (typeof text === 'string') texts.push(text);
    }
    layer = own(layer, 'cause') ?? own(layer, 'data') ?? own(layer, 'originalError');
  }
  return { codes, text: texts.join('\n') };
}

export function switchFailure(error: unknown): 'missing' | 'declined' | 'failed' {
  const { codes, text } = factsOf(error);
  if (codes.includes(REJECTED) || /User ?Rejected/i.test(text)) return 'declined';
  if (codes.includes(NOT_ADDED) || text.includes('ChainNotConfigured')) return 'missing';
  return 'failed';
}

export interface SwitchRequest {
  readonly wallet: SwitchableWallet;
  readonly target: number;
}

export async function switchNetwork({ wallet, target }: SwitchRequest): Promise<NetworkSwitch> {
  try {
    if ((await wallet.chainId()) === target) return 'alreadyThere';
    await wallet.requestSwitch(target);
    return 'switched';
  } catch (error) {
    return switchFailure(error);
  }
}

/** Whether the caller may go on. */
export function mayGoOn(outcome: NetworkSwitch, purpose: SwitchPurpose): boolean {
  if (outcome === 'alreadyThere' || outcome === 'switched') return true;
  return outcome === 'declined' && purpose === 'check';
}
