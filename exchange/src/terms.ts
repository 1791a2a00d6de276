/** The documents in force: what a person accepts is kept as the hash of exactly this text. The pages show the same in full sentences. */
import type { Terms } from '@orrery/accounts';

export const TERMS: Terms = {
  version: '2026-11-01',
  text: [
    'Terms of use: Orrery is a testnet. Its tokens have no value and can be reset. It is offered as it is, without any warranty.',
    'Privacy policy: your wallet address, signatures, orders and trades are kept; nothing is sold or given away.',
    'Cookie policy: one cookie keeps you signed in; nothing else is set before you agree to it.',
  ].join('\n'),
};
