/** The thread that reads raw transactions. */
import { RpcError } from '@orrery/contracts/anvil';
import { answerQuestions } from '@orrery/foundation';
import { readTransaction } from './signed-transaction.ts';
import type { RawTransaction, Reading } from './transaction-reader.ts';

answerQuestions(async ({ raw, chainId }: RawTransaction): Promise<Reading> => {
  try {
    return { transaction: await readTransaction(raw, chainId) };
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return { refusal: { code: error.code, message: error.message } };
  }
});
