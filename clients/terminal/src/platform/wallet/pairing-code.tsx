import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { buttonClasses } from '../../kit/ui/button-classes.ts';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { QrCode } from '../../kit/ui/qr-code.tsx';
import { useIsMobile } from './use-is-mobile.ts';

/** The QR code a phone wallet scans; on the phone itself, a link that opens the wallet. */
export function PairingCode({ uri }: { readonly uri: string }): ReactElement {
  const text = useText();
  const isMobile = useIsMobile();
  return (
    <div className="flex flex-col items-center gap-3">
      {isMobile && (
        <a href={uri} className={`${buttonClasses({ kind: 'primary', size: 'large' })} w-full`}>
          {text('wallet.openPhone')}
        </a>
      )}
      <QrCode value={uri} label={text('wallet.phone')} />
      <p className="flex items-center gap-1 text-sm text-fg2">
        {text('wallet.scan')} <CopyButton value={uri} />
      </p>
    </div>
  );
}
