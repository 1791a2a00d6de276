/** Texts of the Lucky Block. */
export const lucky = {
  'lucky.title': 'Lucky Block',
  'lucky.lead': 'Some blocks of the chain are lucky. Be the first in one and you are paid for it.',
  'lucky.what': 'What are Lucky Block Rewards?',
  'lucky.rule':
    'A block is lucky when its hash starts with four equal digits: 0x0000, 0x1111, 0x2222, 0x3333, 0x4444, 0x5555, 0x6666, 0x7777, 0x8888 or 0x9999. Whoever sent the first transaction of that block earns {points} points.',
  'lucky.once': 'An address is paid at most once per day, by the UTC time of the block.',
  'lucky.when': 'Winners are announced daily at 12:00 UTC.',
  'lucky.records': 'Lucky Block reward records',
  'lucky.own': 'My Reward Records',
  'lucky.all': 'All Reward Records',
  'lucky.block': 'Block',
  'lucky.blockHash': 'Block Hash',
  'lucky.txHash': 'Transaction Hash',
  'lucky.time': 'Time',
  'lucky.empty': 'No award records available.',
  'lucky.connect': 'Connect a wallet to see your reward records.',
} as const;
