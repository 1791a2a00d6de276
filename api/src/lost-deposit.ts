/** Deposits that left the chain after they were credited, at the operators' console: two operators write off one that will not return. */
import { Type, type Static } from 'typebox';
import { Coin, Count, Decimal, HashText, Millis, Page, PageSize, listed, nullable, strict } from './fields.ts';
import { Reason } from './operation.ts';
import { Proposal } from './operator.ts';
import { routes } from './route.ts';

const DepositKey = Type.String({
  minLength: 70,
  maxLength: 100,
  pattern: '^[0-9]{1,16}:0x[0-9a-f]{64}:[0-9]{1,10}$',
  description: 'chain id, hash of the transaction and number of the log in it',
});

/**
 * - `LOST`: it is not on the chain.
 * - `RETURNING`: it is on the chain again, and credited when it is final.
 * - `WRITTEN_OFF`: two operators have written it off, and it is not back.
 */
export const LOST_DEPOSIT_STATES = ['LOST', 'RETURNING', 'WRITTEN_OFF'] as const;
export type LostDepositState = (typeof LOST_DEPOSIT_STATES)[number];

export const LostDeposit = Type.Object({
  key: DepositKey,
  txHash: HashText,
  account: Count,
  coin: Coin,
  amount: Decimal,
  suspended: Type.String({ description: 'of it in suspense; the rest is spent, or bound' }),
  since: nullable(Type.Integer({ minimum: 0, description: 'when it left the chain, in milliseconds; null where it is not known' })),
  state: Type.Enum([...LOST_DEPOSIT_STATES]),
  paid: nullable(Type.String({ description: 'by the exchange, of one that was written off' })),
  writtenAt: nullable(Millis),
});
export type LostDeposit = Static<typeof LostDeposit>;

export const lostDepositDeskRoutes = routes({
  lostDeposits: {
    method: 'GET',
    path: '/pro/o/deposit/lost',
    access: 'operator',
    role: 'viewer',
    rate: 'read',
    summary: 'Deposits that left the chain after they were credited, and those that were written off; the latest to leave first.',
    query: strict({ page: Type.Optional(Page), pageSize: Type.Optional(PageSize) }),
    response: listed(LostDeposit),
  },
  proposeWriteOff: {
    method: 'POST',
    path: '/pro/o/deposit/write-off',
    access: 'operator',
    role: 'operator',
    rate: 'manage',
    summary:
      'Propose to write off a deposit that will not return to the chain: its account can withdraw again, and the exchange pays what the account spent of ' +
      'it. Refused while the deposit is on the chain again, and while another proposal for it is open.',
    body: strict({ key: DepositKey, reason: Reason }),
    response: Proposal,
  },
});
