/** The address book: where withdrawals may go beside the account's own wallet. */
import { Type, type Static } from 'typebox';
import { GuardCaptcha } from './captcha.ts';
import { AddressText, Millis, nullable, strict } from './fields.ts';
import { PasskeyAnswer } from './passkey-text.ts';
import { routes } from './route.ts';
import { OneTimeCode } from './security.ts';

export const WITHDRAW_ADDRESSES_MAX = 50;

const AddressLabel = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\u0000-\\u001f\\u007f]{1,64}$' });

const UserId = nullable(Type.String({ description: 'the account of this exchange at the address: then it is internal' }));

export const WithdrawAddress = Type.Object({
  address: AddressText,
  label: Type.String(),
  userId: UserId,
  createdTime: Millis,
  usableTime: Type.Integer({ description: 'from when on a withdrawal to it is taken, unix milliseconds' }),
});
export type WithdrawAddress = Static<typeof WithdrawAddress>;

export const CheckedAddress = Type.Object({
  address: AddressText,
  userId: UserId,
  internal: Type.Boolean({ description: 'whether it is an account of this exchange' }),
  own: Type.Boolean({ description: 'whether it is the own wallet of the caller, which needs no entry in the address book' }),
  usableTime: nullable(Type.Integer({ description: 'from when on a withdrawal to it is taken, unix milliseconds; null: not in the book' })),
});
export type CheckedAddress = Static<typeof CheckedAddress>;

export const withdrawAddressRoutes = routes({
  withdrawAddresses: {
    method: 'GET',
    path: '/pro/u/withdraw/address/list',
    access: 'session',
    rate: 'read',
    summary: 'Your address book, newest first, and how long a new address waits. Your own wallet is not in it and can always receive.',
    response: Type.Object({
      list: Type.Array(WithdrawAddress),
      total: Type.Integer(),
      waitMs: Type.Integer({ description: 'milliseconds between the entry of an address and the first withdrawal to it' }),
    }),
  },
  addWithdrawAddress: {
    method: 'POST',
    path: '/pro/u/withdraw/address/add',
    access: 'session',
    rate: 'manage',
    sameOrigin: true,
    summary:
      'Add an address to the address book, with the code of the authenticator app where one is bound. Withdrawals to it are taken after the wait. ' +
      'Blocked addresses, contracts of the exchange and the zero address are refused with the reason.',
    body: strict({
      address: AddressText,
      label: AddressLabel,
      google: Type.Optional(OneTimeCode),
      passkey: Type.Optional(PasskeyAnswer),
      captcha: GuardCaptcha,
    }),
    response: WithdrawAddress,
  },
  removeWithdrawAddress: {
    method: 'POST',
    path: '/pro/u/withdraw/address/remove',
    access: 'session',
    rate: 'manage',
    sameOrigin: true,
    summary: 'Remove an address from the address book. When it is added again, it waits again.',
    body: strict({ address: AddressText }),
    response: Type.Object({ address: AddressText }),
  },
  checkWithdrawAddress: {
    method: 'GET',
    path: '/pro/u/withdraw/address/check',
    access: 'session',
    rate: 'read',
    summary:
      'What an address is to a withdrawal: an account of this exchange or not, and from when on it can receive. Refused as add refuses.',
    query: strict({ address: AddressText }),
    response: CheckedAddress,
  },
});
