/** Withdrawals in bytes. Since rules 10 one may name a quota: then it has a tag of its own, and those without keep their bytes. */
import type { QuotaTerms, RequestWithdrawal, WithdrawInternally } from '../commands.ts';
import { account, address, amount, asset, text } from './field.ts';
import type { Reader } from './reader.ts';
import { record, type Record } from './record.ts';
import type { Writer } from './writer.ts';

type Withdrawing = RequestWithdrawal | WithdrawInternally;

const quotaField = record<QuotaTerms>({ worth: amount, limit: amount });

function writePlain(writer: Writer, value: Withdrawing): void {
  account.write(writer, value.account);
  text.write(writer, value.withdrawalId);
  asset.write(writer, value.asset);
  amount.write(writer, value.amount);
  address.write(writer, value.to);
}

function readPlain<Type extends Withdrawing['type']>(reader: Reader, type: Type) {
  return {
    type,
    account: account.read(reader),
    withdrawalId: text.read(reader),
    asset: asset.read(reader),
    amount: amount.read(reader),
    to: address.read(reader),
  };
}

function writeWithQuota(writer: Writer, value: Withdrawing): void {
  writePlain(writer, value);
  if (value.quota !== undefined) quotaField.write(writer, value.quota);
}

const hasQuota = ({ quota }: Withdrawing): boolean => quota !== undefined;

export const withdrawalCommandRecords: {
  readonly RequestWithdrawal: Record<RequestWithdrawal>;
  readonly WithdrawInternally: Record<WithdrawInternally>;
} = {
  RequestWithdrawal: {
    tag: 9,
    write: writePlain,
    read: (reader) => readPlain(reader, 'RequestWithdrawal'),
    other: {
      tag: 98,
      isOf: hasQuota,
      write: writeWithQuota,
      read: (reader) => ({ ...readPlain(reader, 'RequestWithdrawal'), quota: quotaField.read(reader) }),
    },
  },
  WithdrawInternally: {
    tag: 49,
    write: writePlain,
    read: (reader) => readPlain(reader, 'WithdrawInternally'),
    other: {
      tag: 99,
      isOf: hasQuota,
      write: writeWithQuota,
      read: (reader) => ({ ...readPlain(reader, 'WithdrawInternally'), quota: quotaField.read(reader) }),
    },
  },
};
