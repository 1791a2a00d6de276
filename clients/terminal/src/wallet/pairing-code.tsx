import type { ReactElement } from 'react';
import { encode } from 'uqr';
import { useText } from '../i18n/text.tsx';
import { buttonClasses } from '../ui/button-classes.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { useIsMobile } from './use-is-mobile.ts';

/** The QR code a phone wallet scans; on the phone itself, a link that opens the wallet. */
export function PairingCode({ uri }: { readonly uri: string }): ReactElement {
  const text = useText();
  const isMobile = useIsMobile();
  const { data, size } = encode(uri, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <div className="flex flex-col items-center gap-3">
      {isMobile && (
        <a href={uri} className={`${buttonClasses({ kind: 'primary', size: 'large' })} w-full`}>
          {text('wallet.openPhone')}
        </a>
      )}
      <svg
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={text('wallet.phone')}
        className="w-64 max-w-full rounded bg-[#fff]"
        shapeRendering="crispEdges"
      >
        <path d={path} fill="#000" />
      </svg>
      <p className="flex items-center gap-1 text-sm text-fg2">
        {text('wallet.scan')} <CopyButton value={uri} />
      </p>
    </div>
  );
}
