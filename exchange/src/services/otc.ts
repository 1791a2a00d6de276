/** OTC trading. */
import { accountsService } from '@orrery/accounts';
import { campaignService } from '@orrery/campaign';
import { assistPricesOf } from '@orrery/gateway';
import { otcService, type OtcTables } from '@orrery/otc';
import type { Heart, View } from '@orrery/protocol';
import { load, MarketsView, mayRegister } from '@orrery/views';
import { troubleOf } from '../surroundings.ts';
import { serve } from './service.ts';

/** Of the files that it takes. */
const PURPOSE = 'otc';

export const otcEntry = serve(otcService, ({ surroundings, heart, database, leases, cnyRate }, started) => {
  const { authenticator, box, files, keys, letters, realNames } = started.of(accountsService);
  const onTrouble = troubleOf(surroundings, 'otc');
  const markets = followOutsidePrices(heart, onTrouble);
  return {
    heart,
    db: database.of<OtcTables>(),
    keys,
    traderKey: box.keyFor('otc traders'),
    files: {
      take: (account, sent) => files.take(account, sent, PURPOSE),
      link: (account, fileId, reviewer) => files.link(account, fileId, reviewer),
      remove: (account, fileId) => files.drop(account, fileId, PURPOSE),
    },
    proofs: authenticator,
    sessions: {
      accountOf(token) {
        const holder = authenticator.session(token);
        return typeof holder === 'string' || holder.endsAt <= heart.nowMs() ? undefined : holder.account;
      },
    },
    identities: {
      isVerified: (account) => realNames.levelsOf(account).realAuth,
      realNameOf: (account) => realNames.realNameOf(account),
    },
    letters,
    clusters: started.of(campaignService).clusters,
    assist: () => assistPricesOf({ markets }, { rates: [cnyRate.now()], now: heart.nowMs() }),
    minuteMs: surroundings.config.otcMinuteMs,
    now: () => heart.nowMs(),
    leases,
    changes: database.changes,
    onTrouble,
  };
});

/** What is listed, with its outside prices and no trades: nobody moves a price of OTC by trading here. */
function followOutsidePrices(heart: Heart, onTrouble: (error: unknown) => void): MarketsView {
  const view = heart.open();
  const markets = new MarketsView();
  load(view, markets);
  follow(view, markets).catch(onTrouble);
  return markets;
}

async function follow({ tail }: View, markets: MarketsView): Promise<void> {
  for await (const batch of tail) {
    for (const applied of batch)
      for (const event of applied.events)
        if (event.type === 'IndexPriceSet' || (event.type !== 'Trade' && mayRegister(applied))) markets.apply(event, applied);
  }
}
