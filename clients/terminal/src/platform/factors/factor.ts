/** What proves a person beside a password or a wallet: which ways an account has, and which one was chosen. */
import type { CallData, LOGIN_FACTORS, PasskeyAnswer } from '@orrery/api';
import { useState } from 'react';
import type { PasskeySubject } from '../client/factor-calls.ts';
import { loadCode } from '../../kit/ui/load-code.ts';

export type Factor = (typeof LOGIN_FACTORS)[number];
type Guarded = Pick<CallData['accountInfo'], 'googleSecurityStatus' | 'passkeySecurityStatus'>;

/** What a call takes, of which one is there. */
export interface GivenFactor {
  readonly google?: string;
  readonly passkey?: PasskeyAnswer;
  readonly backup?: string;
}

export interface FactorState {
  /** Empty where nothing is bound. */
  readonly ways: readonly Factor[];
  readonly way: Factor | undefined;
  /** Of the app, or one of the backup codes. */
  readonly code: string;
  readonly choose: (way: Factor) => void;
  readonly enter: (code: string) => void;
}

const LENGTHS = { google: 6, backup: 12 } as const;

/** For a change of the account: either will do. */
export function waysOf(account: Guarded | undefined): readonly Factor[] {
  const ways: Factor[] = account?.passkeySecurityStatus === true ? ['passkey'] : [];
  return account?.googleSecurityStatus === true ? [...ways, 'google'] : ways;
}

/** For what moves money: where there is a passkey, nothing else. */
export const waysOfMoney = (account: Guarded | undefined): readonly Factor[] => waysOf(account).slice(0, 1);

/** For a change of the factors themselves, which may be lost. */
export function waysOfFactors(account: Guarded | undefined): readonly Factor[] {
  const ways = waysOf(account);
  return ways.length === 0 ? [] : [...ways, 'backup'];
}

export function useFactor(ways: readonly Factor[]): FactorState {
  const [chosen, setChosen] = useState<Factor>();
  const [code, setCode] = useState('');
  return {
    ways,
    way: chosen !== undefined && ways.includes(chosen) ? chosen : ways[0],
    code,
    choose(way) {
      setChosen(way);
      setCode('');
    },
    enter: setCode,
  };
}

/** Whether nothing is left to be typed. */
export const isWhole = ({ way, code }: Pick<FactorState, 'way' | 'code'>): boolean =>
  way === undefined || way === 'passkey' || code.length === LENGTHS[way];

/** Asks the browser for the passkey where that was chosen. What was not typed is left out: the exchange says then what is missing. */
export async function give({ way, code }: Pick<FactorState, 'way' | 'code'>, subject?: PasskeySubject): Promise<GivenFactor> {
  if (way !== 'passkey') return way === undefined || code === '' ? {} : { [way]: code };
  const { answerPasskey } = await loadCode(() => import('./passkey.ts'));
  return { passkey: await answerPasskey(subject) };
}
