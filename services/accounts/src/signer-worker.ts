/** The thread that recovers signers: texts and signatures come in, addresses go out. */
import { parentPort } from 'node:worker_threads';
import { assert } from '@orrery/units';
import type { SignerAnswer, SignerQuestion } from './signers.ts';
import { loadSignatureTools } from './signer-of.ts';

const port = parentPort;
assert(port !== null, 'signers are recovered in a thread of their own');
const { digestOf, signerOf } = await loadSignatureTools();
port.on('message', ({ id, text, signature }: SignerQuestion) => {
  void signerOf(digestOf(text), Buffer.from(signature.slice(2), 'hex')).then((signer) =>
    port.postMessage({ id, signer } satisfies SignerAnswer),
  );
});
