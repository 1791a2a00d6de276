/** One file, chosen or dropped; a file of another kind or too large is refused with a sentence, and changes nothing. */
import { Upload, X } from 'lucide-react';
import { useId, useState } from 'react';
import type { DragEvent, ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { classes } from './classes.ts';
import type { FormControl } from './control.ts';
import { fileProblem, fileSize } from './file-problem.ts';
import type { FileRule } from './file-problem.ts';
import { IconButton } from './icon-button.tsx';
import { FieldNote } from './field-label.tsx';

export interface FileFieldProps extends FileRule, FormControl<File | undefined> {
  readonly label: string;
  readonly hint?: ReactNode;
}

export function FileField({ label, value, onChange, onBlur, types, maxBytes, hint, error }: FileFieldProps): ReactElement {
  const text = useText();
  const id = useId();
  const [refusal, setRefusal] = useState<string>();
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    const problem = fileProblem(file, { types, maxBytes });
    setRefusal(problem && text(problem.id, { name: file.name, ...problem.values }));
    if (problem === undefined) onChange(file);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  };
  const shown = refusal ?? error;
  return (
    <div className="flex flex-col gap-1">
      <span className="text-sm text-fg2" id={`${id}-label`}>
        {label}
      </span>
      <div
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
        className={classes(
          'relative flex min-h-16 items-center gap-3 rounded border border-dashed bg-page px-3 py-2 focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-focus',
          shown === undefined ? 'border-control hover:border-fg3' : 'border-error',
        )}
      >
        <Upload size={16} aria-hidden="true" className="shrink-0 text-fg3" />
        <span className="min-w-0 grow truncate text-md text-fg2">
          {value === undefined ? text('ui.file.choose') : `${value.name} · ${fileSize(value.size)}`}
        </span>
        <input
          type="file"
          id={id}
          accept={types.join(',')}
          aria-labelledby={`${id}-label`}
          aria-describedby={`${id}-note`}
          aria-invalid={shown !== undefined}
          onBlur={onBlur}
          onChange={(event) => {
            take(event.target.files?.[0]);
            // The same file may be chosen again after it was taken away.
            event.target.value = '';
          }}
          className="absolute inset-0 cursor-pointer opacity-0"
        />
        {value !== undefined && (
          <IconButton label={text('ui.file.remove', { name: value.name })} className="z-10 size-7" onClick={() => onChange(undefined)}>
            <X size={14} />
          </IconButton>
        )}
      </div>
      <FieldNote id={id} hint={hint ?? text('ui.file.rule', { size: fileSize(maxBytes) })} error={shown} />
    </div>
  );
}
