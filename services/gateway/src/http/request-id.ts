/**
 * The id of a request: in the header of each answer of the API, in every error answer, and in the lines of the log about it. Callers do not choose it, nor
 * learn from it how many there were. Files of the pages go without the header.
 */
import { randomUUID } from 'node:crypto';

export const newRequestId = (): string => randomUUID();
