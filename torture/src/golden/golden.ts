/** Histories made by earlier builds of this program, kept in the repository: every later build must reach the same state from them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { encodeCommand, type Command } from '@orrery/protocol';

const FOLDER = fileURLToPath(new URL('../../golden/', import.meta.url));
export const EXPECTED = 'expected.json';
/** In the bytes of a command, behind the version of the codec. */
const TAG_AT = 1;

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
  /** By name and tag, where a history has forms of `FORMS`. */
  readonly forms?: Readonly<Record<string, number>>;
}

export interface Golden {
  readonly name: string;
  readonly directory: string;
  readonly expected: Expected;
}

/** What a golden history is about. */
export const SUBJECTS = ['spot', 'contracts', 'otc', 'fund'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** Every kind of command there is, and in the history of which subject it must be: a new kind is added here, and its golden history is made. */
const KINDS: Readonly<Record<Command['type'], Subject>> = {
  RegisterAsset: 'spot',
  RegisterMarket: 'spot',
  SetMarketState: 'spot',
  SetIndexPrice: 'spot',
  OpenAccount: 'spot',
  SetAccountFlag: 'spot',
  CreditDeposit: 'spot',
  Transfer: 'spot',
  RequestWithdrawal: 'spot',
  WithdrawInternally: 'spot',
  MarkWithdrawalSent: 'spot',
  PostWithdrawal: 'spot',
  RefundWithdrawal: 'spot',
  FundBudget: 'spot',
  AwardFromBudget: 'spot',
  ReserveFaucetClaim: 'spot',
  SettleFaucetClaim: 'spot',
  PlaceOrder: 'spot',
  CancelOrder: 'spot',
  PlaceOrders: 'spot',
  PlaceSpotOrder: 'spot',
  PlacePair: 'spot',
  CancelOrders: 'spot',
  CancelAllOrders: 'spot',
  AmendOrder: 'spot',
  ExpireOrders: 'spot',
  ReverseAward: 'spot',
  SuspendDeposit: 'spot',
  WriteOffDeposit: 'spot',
  UpgradeRules: 'spot',
  SetWithdrawalCaps: 'spot',
  SetMarketTerms: 'spot',
  ContinueTriggers: 'spot',
  ContinueMatching: 'spot',
  RegisterContract: 'contracts',
  SetCollateral: 'contracts',
  SetLiquidator: 'contracts',
  SubmitPrices: 'contracts',
  SubmitCollateralPrices: 'contracts',
  ResetPrices: 'contracts',
  ForceFunding: 'contracts',
  SettleFunding: 'contracts',
  SetLeverage: 'contracts',
  SetMarginMode: 'contracts',
  SetPositionMode: 'contracts',
  AdjustMargin: 'contracts',
  SetAutoMargin: 'contracts',
  SetFeeTier: 'contracts',
  PlaceContractOrder: 'contracts',
  AmendTrigger: 'contracts',
  CloseAllPositions: 'contracts',
  SetProtection: 'contracts',
  ScheduleCancel: 'contracts',
  RunTimers: 'contracts',
  PlaceTwap: 'contracts',
  CancelTwap: 'contracts',
  ContinueLiquidations: 'contracts',
  ContinueFunding: 'contracts',
  SetPracticeAsset: 'contracts',
  GrantPractice: 'contracts',
  StockPractice: 'contracts',
  SetOtcTerms: 'otc',
  SetAssistPrices: 'otc',
  PublishAdvertisement: 'otc',
  UpdateAdvertisement: 'otc',
  SetAdvertisementState: 'otc',
  CreateOtcOrder: 'otc',
  MarkOtcOrderPaid: 'otc',
  ReleaseOtcOrder: 'otc',
  CancelOtcOrder: 'otc',
  DisputeOtcOrder: 'otc',
  DecideOtcDispute: 'otc',
  AppealOtcDecision: 'otc',
  DepositAsMerchant: 'otc',
  ReturnMerchantDeposit: 'otc',
  PayFromMerchantDeposit: 'otc',
  RunOtcTimers: 'otc',
  OpenFund: 'fund',
  SetFundCapacity: 'fund',
  SubscribeToFund: 'fund',
  RedeemFromFund: 'fund',
  ValueFund: 'fund',
  ContinueFund: 'fund',
  SendFundHeartbeat: 'fund',
  CloseFund: 'fund',
};

export const missingKinds = (commands: Readonly<Record<string, number>>, subjects: readonly Subject[] = SUBJECTS): readonly string[] =>
  Object.entries(KINDS).flatMap(([kind, subject]) => (subjects.includes(subject) && commands[kind] === undefined ? [kind] : []));

/** Further forms of commands, by their tags in the codec: some history must have each of them too. */
const FORMS = [
  { type: 'RequestWithdrawal', tag: 98, subject: 'spot' },
  { type: 'WithdrawInternally', tag: 99, subject: 'spot' },
  { type: 'UpdateAdvertisement', tag: 86, subject: 'otc' },
  { type: 'UpdateAdvertisement', tag: 87, subject: 'otc' },
] as const satisfies readonly { readonly type: Command['type']; readonly tag: number; readonly subject: Subject }[];

/** Undefined for a first form. */
export function formOf(command: Command): string | undefined {
  if (!FORMS.some(({ type }) => type === command.type)) return undefined;
  const tag = encodeCommand(command)[TAG_AT];
  return FORMS.some((one) => one.tag === tag) ? `${command.type} ${tag}` : undefined;
}

export const missingForms = (forms: Readonly<Record<string, number>>, subjects: readonly Subject[] = SUBJECTS): readonly string[] =>
  FORMS.filter(({ subject }) => subjects.includes(subject))
    .map(({ type, tag }) => `${type} ${tag}`)
    .filter((form) => forms[form] === undefined);

export const goldenFolder = (name: string): string => join(FOLDER, name);

export function goldens(): readonly Golden[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((name) => {
      const directory = goldenFolder(name);
      return { name, directory, expected: JSON.parse(readFileSync(join(directory, EXPECTED), 'utf8')) as Expected };
    });
}
