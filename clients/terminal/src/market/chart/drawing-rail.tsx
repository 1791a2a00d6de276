/** The tools for drawing, beside the chart. */
import { Eraser, Minus, MoveUpRight, Rows4, Trash2, TrendingUp, Type } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { classes } from '../../kit/ui/classes.ts';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import type { ChartPort } from './chart-port.ts';
import { useChartSettings } from './chart-settings.ts';
import { DRAWING_TOOLS, TEXT_MAX } from './drawing.ts';
import type { DrawingTool } from './drawing.ts';

/** Two lines side by side, as the tool draws them. */
function Channel({ size = 16 }: { readonly size?: number }): ReactElement {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M3 15 17 4M7 20 21 9" />
    </svg>
  );
}

const icons: Readonly<Record<DrawingTool, LucideIcon | typeof Channel>> = {
  trend: TrendingUp,
  horizontal: Minus,
  ray: MoveUpRight,
  channel: Channel,
  fibonacci: Rows4,
  text: Type,
};

interface TextFormProps {
  readonly onPlace: (text: string) => void;
}

/** Beside the rail: a text is written before it is placed. */
function TextForm({ onPlace }: TextFormProps): ReactElement {
  const text = useText();
  const [words, setWords] = useState('');
  return (
    <form
      className="absolute top-2 inset-s-10 z-20 flex gap-1 rounded border border-strong bg-raised p-1 shadow-pop"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() !== '') onPlace(words.trim());
      }}
    >
      <input
        autoFocus
        aria-label={text('chart.tool.textField')}
        placeholder={text('chart.tool.textField')}
        maxLength={TEXT_MAX}
        value={words}
        onChange={(event) => setWords(event.target.value)}
        className="h-7 w-48 rounded-sm border border-control bg-page px-2 text-md placeholder:text-fg3"
      />
      <button
        type="submit"
        disabled={words.trim() === ''}
        className="h-7 rounded-sm px-2 text-sm text-fg hover:bg-hover disabled:opacity-45"
      >
        {text('ui.done')}
      </button>
    </form>
  );
}

export function DrawingRail({ port }: { readonly port: ChartPort }): ReactElement {
  const text = useText();
  const { drawings, set } = useChartSettings();
  const [tool, setTool] = useState<DrawingTool>();
  const [isWriting, setWriting] = useState(false);
  useEffect(() => {
    port.drawings.onEnd(() => setTool(undefined));
    return () => port.drawings.cancel();
  }, [port]);
  const begin = (next: DrawingTool, words = ''): void => {
    port.drawings.begin(next, words);
    setWriting(false);
    setTool(next);
  };
  const choose = (next: DrawingTool): void => {
    port.drawings.cancel();
    const isSame = next === tool;
    setTool(isSame ? undefined : next);
    setWriting(next === 'text' && !isSame);
    if (next !== 'text' && !isSame) begin(next);
  };
  return (
    <div
      role="toolbar"
      aria-label={text('chart.tools')}
      aria-orientation="vertical"
      className="relative flex w-9 shrink-0 flex-col items-center gap-0.5 border-e border-line py-1"
    >
      {DRAWING_TOOLS.map((name) => {
        const Icon = icons[name];
        return (
          <IconButton
            key={name}
            label={text(`chart.tool.${name}`)}
            aria-pressed={name === tool}
            onClick={() => choose(name)}
            className={classes('size-7', name === tool && 'bg-raised text-fg')}
          >
            <Icon size={15} />
          </IconButton>
        );
      })}
      <hr className="my-1 w-5 border-line" />
      <IconButton
        label={text('chart.tool.removeSelected')}
        disabled={drawings.length === 0}
        onClick={() => port.drawings.removeSelected()}
        className="size-7"
      >
        <Eraser size={15} />
      </IconButton>
      <IconButton
        label={text('chart.tool.removeAll')}
        disabled={drawings.length === 0}
        onClick={() => set({ drawings: [] })}
        className="size-7"
      >
        <Trash2 size={15} />
      </IconButton>
      {isWriting && <TextForm onPlace={(words) => begin('text', words)} />}
      <p role="status" className="sr-only">
        {tool === undefined ? text('chart.drawings', { count: drawings.length }) : text('chart.tool.place')}
      </p>
    </div>
  );
}
