/**
 * What a person has chosen on a page (a tab, a filter, a range, the page of a table) stands in its address: it survives a reload, and a link shows it
 * to somebody else.
 */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { atFirstPages, choosing, chosenIn, pageIn, replacing, turning, wordsIn } from './choices-in-search.ts';
import type { Choice, Search, Words } from './choices-in-search.ts';
import type { Page } from './pager.tsx';

const OF_ANY_ROUTE = { strict: false } as const;

/** Of the page that is shown: while the code of the next one loads, the address is the next one's already. */
const useShown = (): Search => useSearch(OF_ANY_ROUTE);

function useChange(): (change: (search: Search) => Search) => void {
  const navigate = useNavigate();
  return (change) => void navigate(replacing(change));
}

export function useChoiceInUrl<Value extends string>(choice: Choice<Value>): readonly [Value, (value: Value) => void] {
  const chosen = chosenIn(useShown(), choice);
  const change = useChange();
  return [chosen, (value) => change((search) => ({ ...search, ...choosing(choice, value) }))];
}

/** What is written is in the address at once: a field that is typed in writes when it rests. */
export function useWordsInUrl(words: Words): readonly [string, (value: string) => void] {
  const shown = wordsIn(useShown(), words);
  const change = useChange();
  return [shown, (value) => change((search) => ({ ...search, ...choosing(words, value) }))];
}

/** @param list named unlike all other lists of a page */
export function usePageInUrl(list: string): readonly [Page, (page: Page) => void] {
  const page = pageIn(useShown(), list);
  const change = useChange();
  return [page, (next) => change((search) => ({ ...search, ...turning(list, next) }))];
}

/** For a filter that is remembered elsewhere: the lists it applies to begin again. */
export function useFirstPages(): () => void {
  const change = useChange();
  return () => change(atFirstPages);
}
