/** Where a newcomer stands on the way to the first order. Pure: from facts to steps. */
import { unreachable } from '@orrery/units';
import type { MessageId } from '../../kit/i18n/catalog.ts';

export const stepNames = ['connect', 'terms', 'whitelist', 'faucet', 'fund', 'connection', 'order'] as const;
export type StepName = (typeof stepNames)[number];

export interface NewcomerFacts {
  /** A wallet is connected, signed in or not. */
  readonly hasWallet: boolean;
  readonly isSignedIn: boolean;
  readonly hasAcceptedTerms: boolean;
  readonly inWhitelist: boolean;
  /** A claim was made, or tokens came another way. */
  readonly hasTokens: boolean;
  /** In a wallet that is traded from. */
  readonly hasFunds: boolean;
  readonly isConnected: boolean;
  readonly hasOrdered: boolean;
}

export interface NewcomerStep {
  readonly name: StepName;
  readonly title: MessageId;
  readonly hint: MessageId;
  readonly action: MessageId;
  /** `current` is the first that is not done: the only one with an action. */
  readonly state: 'done' | 'current' | 'ahead';
}

function isDone(name: StepName, facts: NewcomerFacts): boolean {
  switch (name) {
    case 'connect':
      return facts.isSignedIn;
    case 'terms':
      return facts.hasAcceptedTerms;
    case 'whitelist':
      return facts.inWhitelist;
    case 'faucet':
      return facts.hasTokens;
    case 'fund':
      return facts.hasFunds;
    case 'connection':
      return facts.isConnected;
    case 'order':
      return facts.hasOrdered;
    default:
      return unreachable(name);
  }
}

export function newcomerSteps(facts: NewcomerFacts): readonly NewcomerStep[] {
  const current = stepNames.find((name) => !isDone(name, facts));
  return stepNames.map((name) => {
    // Who has connected has only the signature left to give.
    const words = name === 'connect' && facts.hasWallet && !facts.isSignedIn ? 'sign' : name;
    return {
      name,
      title: `steps.${words}`,
      hint: `steps.${words}.hint`,
      action: `steps.${words}.action`,
      state: name === current ? 'current' : isDone(name, facts) ? 'done' : 'ahead',
    };
  });
}
