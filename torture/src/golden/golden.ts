/** Histories made by earlier builds of this program, kept in the repository: every later build must reach the same state from them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from '@orrery/protocol';

const FOLDER = fileURLToPath(new URL('../../golden/', import.meta.url));
export const EXPECTED = 'expected.json';

export interface Expected {
  /** The commands in it, and the state after the last one. */
  readonly seq: number;
  readonly stateHash: string;
  /** In which the hash was made; 1 where it is not named. */
  readonly layout?: number;
  /** Intermediate state hashes: in the journal and of the snapshots. */
  readonly hashes: number;
  /** Where its snapshot stands: the rest is replayed behind it. */
  readonly snapshotSeq: number;
  readonly poisoned: number;
  readonly commands: Readonly<Record<string, number>>;
}

export interface Golden {
  readonly name: string;
  readonly directory: string;
  readonly expected: Expected;
}

/** Every kind of command there is: a new kind is added here, and then a golden history that has it must be made. */
const KINDS: Readonly<Record<Command['type'], true>> = {
  RegisterAsset: true,
  RegisterMarket: true,
  SetMarketState: true,
  SetIndexPrice: true,
  OpenAccount: true,
  SetAccountFlag: true,
  CreditDeposit: true,
  Transfer: true,
  RequestWithdrawal: true,
  MarkWithdrawalSent: true,
  PostWithdrawal: true,
  RefundWithdrawal: true,
  FundBudget: true,
  AwardFromBudget: true,
  ReserveFaucetClaim: true,
  SettleFaucetClaim: true,
  PlaceOrder: true,
  CancelOrder: true,
  CancelAllOrders: true,
  AmendOrder: true,
  ExpireOrders: true,
  ReverseAward: true,
  SuspendDeposit: true,
  UpgradeRules: true,
  SetWithdrawalCaps: true,
  SetMarketTerms: true,
  ContinueTriggers: true,
  RegisterContract: true,
  SetCollateral: true,
  SetLiquidator: true,
  SubmitPrices: true,
  ResetPrices: true,
  SettleFunding: true,
  SetLeverage: true,
  SetMarginMode: true,
  SetPositionMode: true,
  AdjustMargin: true,
  SetAutoMargin: true,
  SetFeeTier: true,
  PlaceContractOrder: true,
  AmendTrigger: true,
  CloseAllPositions: true,
  ScheduleCancel: true,
  RunTimers: true,
  PlaceTwap: true,
  CancelTwap: true,
  ContinueLiquidations: true,
};

export const missingKinds = (commands: Readonly<Record<string, number>>): readonly string[] =>
  Object.keys(KINDS).filter((kind) => commands[kind] === undefined);

export const goldenFolder = (name: string): string => join(FOLDER, name);

export function goldens(): readonly Golden[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((name) => {
      const directory = goldenFolder(name);
      return { name, directory, expected: JSON.parse(readFileSync(join(directory, EXPECTED), 'utf8')) as Expected };
    });
}
