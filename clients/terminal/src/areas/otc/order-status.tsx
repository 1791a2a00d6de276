import type { OtcOrderStatus } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { StateTone } from '../../kit/ui/state-tag.tsx';

const tones = {
  CREATED: 'waiting',
  PAID: 'waiting',
  DISPUTED: 'failed',
  RELEASED: 'done',
  RETURNED: 'neutral',
  CANCELLED: 'neutral',
  EXPIRED: 'neutral',
} as const satisfies Record<OtcOrderStatus, StateTone>;

export function OrderStatus({ status }: { readonly status: OtcOrderStatus }): ReactElement {
  const text = useText();
  return <StateTag tone={tones[status]}>{text(`otcName.status.${status}`)}</StateTag>;
}
