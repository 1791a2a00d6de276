/** Texts of the page of the insurance fund. Ids begin with `insurance.`. */
export const insurance = {
  'insurance.title': 'Insurance fund',
  'insurance.lead':
    'When a position is liquidated for less than its margin, what is left goes into the fund. When it loses more than its margin, the fund pays, up to 5% of itself per contract and hour; beyond that the gains of the other side pay.',
  'insurance.funds': 'Funds',
  'insurance.settlement': 'Contracts are settled in it',
  'insurance.collateral': 'Collateral that the fund bought',
  'insurance.none': 'No contracts are listed, so there is no fund.',
  'insurance.history': 'History in {coin}',
  'insurance.changes': 'Changes of the fund',
  'insurance.chartLabel': 'The fund in {coin} from {from} to {to}: first {first}, last {last}',
  'insurance.empty': 'The fund has not changed yet.',
  'insurance.older': 'Show older',
  'insurance.time': 'Time',
  'insurance.cause': 'Cause',
  'insurance.cause.LIQUIDATION': 'Liquidation',
  'insurance.cause.FUNDING': 'Funding nobody could pay',
  'insurance.cause.TRADE': 'Loss of a trade',
  'insurance.cause.BUDGET': 'Put in by the exchange',
  'insurance.change': 'Change',
  'insurance.after': 'In the fund after it',
} as const;
