import { Star } from 'lucide-react';
import type { ReactElement } from 'react';
import { shownPair } from '../../../market/market.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { classes } from '../../../kit/ui/classes.ts';
import { IconButton } from '../../../kit/ui/icon-button.tsx';
import { useMarketKind } from '../../../market/market-kind.tsx';
import { useFavourites } from './favourites.ts';

/** A pressed star is a favourite. */
export function FavouriteStar({ symbol }: { readonly symbol: string }): ReactElement | null {
  const text = useText();
  const { favourites, toggle } = useFavourites();
  const kind = useMarketKind();
  const isFavourite = favourites.includes(symbol);
  if (kind.favourites === 'none') return null;
  return (
    <IconButton
      label={text(isFavourite ? 'trade.market.unfavour' : 'trade.market.favour', { pair: shownPair(symbol) })}
      aria-pressed={isFavourite}
      onClick={() => toggle(symbol)}
      className="size-7"
    >
      <Star size={14} className={classes(isFavourite ? 'fill-warn text-warn' : 'text-fg3')} />
    </IconButton>
  );
}
