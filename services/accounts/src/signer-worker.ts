/** The thread that recovers signers: texts and signatures come in, addresses go out. */
import { answerQuestions } from '@orrery/foundation';
import { loadSignatureTools } from './signer-of.ts';
import type { SignedText } from './signers.ts';

const { digestOf, signerOf } = await loadSignatureTools();
answerQuestions(({ text, signature }: SignedText) => signerOf(digestOf(text), Buffer.from(signature.slice(2), 'hex')));
