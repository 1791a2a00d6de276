/** The campaign's events about an account, as messages of its private streams. */
import type { Campaign } from '@orrery/campaign';
import type { NewsSource } from '@orrery/gateway';

export const accountNews = (campaign: Campaign): NewsSource => ({
  onNews(listener) {
    const endings = [
      campaign.onClaim(({ account, status }) => listener({ account, resType: 'uClaim', data: { status } })),
      campaign.onAward(({ account, news }) => listener({ account, resType: 'uAward', data: news })),
    ];
    return () => {
      for (const end of endings) end();
    };
  },
});
