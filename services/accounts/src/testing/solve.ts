/** For tests: solves the proof of work as a page does. */
import { pbkdf2Sync } from 'node:crypto';
import type { CaptchaChallenge, ProofOfWork } from '@orrery/api';

export function solutionOf({ parameters }: ProofOfWork): { counter: number; derivedKey: string } {
  const nonce = Buffer.from(parameters.nonce, 'hex');
  const password = Buffer.concat([nonce, Buffer.alloc(4)]);
  for (let counter = 0; ; counter += 1) {
    password.writeUInt32BE(counter, nonce.length);
    const key = pbkdf2Sync(password, Buffer.from(parameters.salt, 'hex'), parameters.cost, parameters.keyLength, 'sha256').toString('hex');
    if (key.startsWith(parameters.keyPrefix)) return { counter, derivedKey: key };
  }
}

export const encoded = (answer: unknown): string => Buffer.from(JSON.stringify(answer)).toString('base64');

export function solved({ challenge }: CaptchaChallenge): string {
  if (challenge === null) throw new Error('no proof of work');
  return encoded({ challenge, solution: solutionOf(challenge) });
}
