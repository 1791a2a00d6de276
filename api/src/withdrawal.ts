/** From the funding wallet to the chain. */
import { Type, type Static } from 'typebox';
import {
  AddressText,
  Coin,
  Cursor,
  Decimal,
  DecimalInput,
  HashText,
  Millis,
  MinSeq,
  Nonce,
  Page,
  PageSize,
  Signature,
  SignedMessage,
  listedHistory,
  nullable,
  strict,
} from './fields.ts';
import { PasskeyAnswer } from './passkey-text.ts';
import { routes } from './route.ts';
import { OneTimeCode } from './security.ts';

export const Withdrawal = Type.Object({
  withdrawalId: HashText,
  coin: Coin,
  amount: Decimal,
  to: AddressText,
  state: Type.Enum(['HELD', 'SENT', 'POSTED', 'REFUNDED']),
  txHash: nullable(HashText),
  internal: Type.Boolean({ description: 'whether it went to an account of this exchange: at once, and without a transaction' }),
  createdTime: Millis,
  updatedTime: Millis,
});
export type Withdrawal = Static<typeof Withdrawal>;

export const WithdrawRequest = strict(
  {
    withdrawalId: HashText,
    coin: Coin,
    amount: DecimalInput,
    to: AddressText,
    nonce: Type.Optional(Nonce),
    signature: Type.Optional(Signature),
    message: Type.Optional(SignedMessage),
    google: Type.Optional(OneTimeCode),
    passkey: Type.Optional(PasskeyAnswer),
  },
  'withdrawalId: 32 bytes by chance, made by the client and signed as the Request ID of the message; the same id again changes nothing, and the ' +
    'same body again answers the same id, also when its nonce is used up. nonce, signature, message: needed of a session. google: the code of the ' +
    'authenticator app, needed of a session where one is bound; where a passkey is, its answer to the challenge of this withdrawal instead. A call by an API key needs ' +
    'none of the five',
);
export type WithdrawRequest = Static<typeof WithdrawRequest>;

export const WithdrawalCaps = Type.Object({
  coin: Coin,
  hourlyCap: Decimal,
  hourlyLeft: Decimal,
  dailyCap: Decimal,
  dailyLeft: Decimal,
});
export type WithdrawalCaps = Static<typeof WithdrawalCaps>;

export const WithdrawalQuota = Type.Object({
  level: Type.Integer({ description: 'the security level of the account' }),
  coin: Coin,
  quota: nullable(Type.String({ description: 'of this level within any 24 hours; null: any amount' })),
  used: Decimal,
  left: nullable(Type.String()),
});
export type WithdrawalQuota = Static<typeof WithdrawalQuota>;

export const withdrawalRoutes = routes({
  withdrawalCaps: {
    method: 'GET',
    path: '/pro/p/asset/withdrawal-caps',
    access: 'public',
    rate: 'public',
    summary:
      'The most that all accounts together can withdraw of a coin within any hour and within any day, and what of it is left at this time.',
    response: Type.Array(WithdrawalCaps),
  },
  withdrawalQuota: {
    method: 'GET',
    path: '/pro/u/asset/withdrawal-quota',
    access: 'read',
    rate: 'read',
    readsHistory: true,
    summary:
      'What you may withdraw within any 24 hours, valued in USDC at the present prices, and what of it is left. Withdrawals to other accounts of ' +
      'this exchange count; refunded ones do not.',
    query: strict({ minSeq: Type.Optional(MinSeq) }),
    response: WithdrawalQuota,
  },
  withdraw: {
    method: 'POST',
    path: '/pro/u/asset/withdraw',
    access: 'withdraw',
    rate: 'withdraw',
    sameOrigin: true,
    summary:
      'Withdraw from the funding wallet, with a signed nonce of purpose withdraw over exactly this amount, coin, address and id; or by an API key ' +
      'with WITHDRAW, made a day before, to your own wallet or to an address of your address book. To the address of another account of this ' +
      'exchange it is there at once, without a transaction on the chain.',
    body: WithdrawRequest,
    response: Type.Object({ withdrawalId: HashText }),
  },
  withdrawals: {
    method: 'GET',
    path: '/pro/u/asset/withdrawals',
    access: 'read',
    rate: 'read',
    readsHistory: true,
    summary: 'Your withdrawals, newest first.',
    query: strict({
      coin: Type.Optional(Coin),
      page: Type.Optional(Page),
      id: Type.Optional(Cursor),
      pageSize: Type.Optional(PageSize),
      minSeq: Type.Optional(MinSeq),
    }),
    response: listedHistory(Withdrawal),
  },
});
