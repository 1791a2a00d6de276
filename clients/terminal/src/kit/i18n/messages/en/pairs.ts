/** Texts of the console's list of accounts of which one won what the other lost. */
export const pairs = {
  'console.pairs.title': 'One wins what one other loses',
  'console.pairs.hint':
    'In campaigns that are not decided yet. It may be chance: nothing follows from it by itself. Look at the trades; an award is taken back under Rewards.',
  'console.pairs.empty': 'No pair won and lost nearly the same.',
  'console.pairs.winner': 'Winner',
  'console.pairs.won': 'Won (USDC)',
  'console.pairs.loser': 'Loser',
  'console.pairs.lost': 'Lost (USDC)',
  'console.pairs.how': 'How',
  'console.pairs.kind.DIRECT': '{between} USDC of it from the loser, in {trades, plural, one {one trade} other {{trades} trades}}',
  'console.pairs.kind.OPPOSITE': 'opposite trades with others at the same time',
  'console.pairs.showTrades': 'Trades',
  'console.pairs.tradesTitle': 'Trades of {winner} and {loser}',
  'console.pairs.tradesHint':
    'By market and four hours. Bought is what was given for buying less what was received for selling, with anybody.',
  'console.pairs.noTrades': 'Neither of them traded.',
  'console.pairs.at': 'From',
  'console.pairs.market': 'Market',
  'console.pairs.trades': 'With one another',
  'console.pairs.volume': 'For (USDC)',
  'console.pairs.winnerBought': 'Winner bought (USDC)',
  'console.pairs.loserBought': 'Loser bought (USDC)',
} as const;
