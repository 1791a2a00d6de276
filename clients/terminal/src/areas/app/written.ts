/** Whether this page has something that a person has entered and that another page would lose. */

/** A search is entered again in a moment. */
const WRITTEN_IN = 'input:not([type="search"], [type="checkbox"], [type="radio"], [type="range"]), textarea';

type Field = HTMLInputElement | HTMLTextAreaElement;

let touched: readonly Field[] = [];

const isFull = (field: Field): boolean => field.isConnected && field.value !== '';

/** One for the whole page. @returns what ends it. */
export function watchWriting(page: Document): () => void {
  const hear = ({ target }: Event): void => {
    if (!(target instanceof Element) || !target.matches(WRITTEN_IN)) return;
    const field = target as Field;
    touched = [...touched.filter((other) => other !== field && isFull(other)), field];
  };
  // This part of the terminal loads after the page: what is in a field by then may have been entered.
  touched = [...page.querySelectorAll<Field>(WRITTEN_IN)].filter(isFull);
  page.addEventListener('input', hear, true);
  return () => page.removeEventListener('input', hear, true);
}

/** An open dialog counts: it closes with its page, and may hold more than texts. */
export const isSomethingWritten = (page: Document): boolean =>
  page.querySelector('[role="dialog"], dialog[open]') !== null || touched.some(isFull);
