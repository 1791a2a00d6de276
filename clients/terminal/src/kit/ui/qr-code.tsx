/** A QR code, black on white in every theme: cameras expect it so. */
import type { ReactElement } from 'react';
import { encode } from 'uqr';

export function QrCode({ value, label }: { readonly value: string; readonly label: string }): ReactElement {
  const { data, size } = encode(value, { ecc: 'M', border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      className="w-64 max-w-full rounded bg-[#fff]"
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  );
}
