/** Ids that are made here, what each sealed text is bound to, and which statuses are ends. */
import { randomBytes } from 'node:crypto';

export const newId = (): string => randomBytes(16).toString('hex');

export const advertisementIs = (clientId: string): string => `otc advertisement ${clientId}`;
export const messageIs = (messageId: string): string => `otc message ${messageId}`;
export const statementIs = (orderId: number, at: number): string => `otc statement ${orderId} ${at}`;
export const appraisalIs = (orderId: number): string => `otc appraisal ${orderId}`;
export const applicationIs = (account: number): string => `otc application ${account}`;

const ENDS: ReadonlySet<string> = new Set(['RELEASED', 'RETURNED', 'CANCELLED', 'EXPIRED']);
export const isEnd = (status: string): boolean => ENDS.has(status);
