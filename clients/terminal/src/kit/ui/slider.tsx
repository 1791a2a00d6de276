import { Slider as Radix } from 'radix-ui';
import { useId } from 'react';
import type { ReactElement } from 'react';
import type { FormControl } from './control.ts';
import { FieldNote } from './field-label.tsx';

/** The value is in whole per cents. */
export interface SliderProps extends FormControl<number> {
  readonly label: string;
  readonly disabled?: boolean;
}

const marks = [0, 25, 50, 75, 100];
// Literal class names: Tailwind only sees what is written out.
const markPlaces = ['inset-s-0', 'inset-s-1/4', 'inset-s-1/2', 'inset-s-3/4', 'inset-s-full'];

/** A share from 0 to 100 %, with marks at the quarters. */
export function Slider({ label, value, onChange, onBlur, error, disabled = false }: SliderProps): ReactElement {
  const id = useId();
  return (
    <>
      <Radix.Root
        value={[value]}
        min={0}
        max={100}
        step={1}
        disabled={disabled}
        onValueChange={([next]) => onChange(next ?? 0)}
        className="relative mx-1.5 flex h-5 touch-none items-center select-none data-[disabled]:opacity-45"
      >
        <Radix.Track className="relative h-0.5 grow bg-strong">
          <Radix.Range className="absolute h-full bg-fg2" />
          {marks.map((mark, place) => (
            <span
              key={mark}
              className={`absolute top-1/2 size-1.5 -translate-x-1/2 -translate-y-1/2 rotate-45 rtl:translate-x-1/2 ${markPlaces[place] ?? ''} ${mark <= value ? 'bg-fg2' : 'bg-strong'}`}
            />
          ))}
        </Radix.Track>
        <Radix.Thumb
          aria-label={label}
          aria-invalid={error !== undefined}
          {...(error !== undefined && { 'aria-describedby': `${id}-note` })}
          onBlur={onBlur}
          aria-valuetext={`${value} %`}
          className="block size-3.5 rounded-sm border-2 border-fg bg-page hover:bg-hover aria-invalid:border-error"
        />
      </Radix.Root>
      <FieldNote id={id} error={error} />
    </>
  );
}
