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

/**
 * Every kind of command there is, and whether a golden history must have it: a new kind is added here, and with the first build that is given to others
 * its golden history is made. No build with contracts was given to anybody yet, and their bytes may still change.
 */
const KINDS: Readonly<Record<Command['type'], boolean>> = {
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
  RegisterContract: false,
  SetCollateral: false,
  SetLiquidator: false,
  SubmitPrices: false,
  ResetPrices: false,
  SettleFunding: false,
  SetLeverage: false,
  SetMarginMode: false,
  SetPositionMode: false,
  AdjustMargin: false,
  SetAutoMargin: false,
  SetFeeTier: false,
  PlaceContractOrder: false,
  AmendTrigger: false,
  CloseAllPositions: false,
  ScheduleCancel: false,
  RunTimers: false,
  PlaceTwap: false,
  CancelTwap: false,
  ContinueLiquidations: false,
};

export const missingKinds = (commands: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(KINDS).flatMap(([kind, isNeeded]) => (isNeeded && commands[kind] === undefined ? [kind] : []));

export const goldenFolder = (name: string): string => join(FOLDER, name);

export function goldens(): readonly Golden[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((name) => {
      const directory = goldenFolder(name);
      return { name, directory, expected: JSON.parse(readFileSync(join(directory, EXPECTED), 'utf8')) as Expected };
    });
}
