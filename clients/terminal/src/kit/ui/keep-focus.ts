/**
 * Keeps the focus with the person. What has the focus may go away: a dialog is answered, an order is cancelled, a step is done. The browser then
 * drops the focus on the body, and the way back is long; here it goes to what took that place, to the next control after it, or to where the
 * person was before.
 */

/** An element on the way from the focus up to the body, and the siblings before it, the nearest first. */
interface Step {
  readonly element: Element;
  readonly before: readonly Element[];
}

interface Place {
  /** The dialog, menu or part of the frame around it: of each stay the place where the person was last is kept. */
  readonly stay: Element | null;
  /** The focused element first. */
  readonly steps: readonly Step[];
  /** In a row of a table or list: which control of the row it is, counted from its end. */
  readonly fromRowEnd: number | undefined;
}

const CONTROLS = 'a[href], button, input, select, textarea, summary, [tabindex]';
const ROWS = 'tr, li, [role="row"]';
/** Beyond them nothing is near. */
const EDGES = 'body, #root, #root > div';
const STAYS = '[role="dialog"], [role="menu"], [role="status"], #content, header, footer, body > *';
const TEXT_FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, select';
const REMEMBERED = 12;
const SIBLINGS = 12;
/** A closing dialog returns the focus by itself in the next turn. */
const SETTLE_MS = 50;

const isControl = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.matches(CONTROLS) &&
  element.tabIndex >= 0 &&
  !element.matches(':disabled') &&
  element.closest('[inert], [aria-hidden="true"]') === null &&
  element.checkVisibility();

const controlsIn = (element: Element): readonly HTMLElement[] => [...element.querySelectorAll(CONTROLS)].filter(isControl);

function stepsFrom(focused: Element): readonly Step[] {
  const steps: Step[] = [];
  for (let element: Element | null = focused; element !== null; element = element.parentElement) {
    const before: Element[] = [];
    for (let other = element.previousElementSibling; other !== null && before.length < SIBLINGS; other = other.previousElementSibling)
      before.push(other);
    steps.push({ element, before });
  }
  return steps;
}

function placeOf(focused: Element): Place {
  const row = focused.closest(ROWS);
  const inRow = row === null ? [] : controlsIn(row);
  const at = inRow.findIndex((control) => control === focused);
  return { stay: focused.closest(STAYS), steps: stepsFrom(focused), fromRowEnd: at === -1 ? undefined : inRow.length - 1 - at };
}

const isAfter = (control: Element, mark: Element): boolean =>
  (mark.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 && !mark.contains(control);

/** The first control in `within` after what stood there, else the last before it. */
function nearestIn(within: Element, mark: Element | undefined): HTMLElement | undefined {
  const controls = controlsIn(within);
  return (mark === undefined ? controls[0] : controls.find((control) => isAfter(control, mark))) ?? controls.at(-1);
}

/** The same control of the next row, else of the row before. */
function inNextRow({ steps, fromRowEnd }: Place, gone: number): HTMLElement | undefined {
  const row = steps[gone];
  const rows = steps[gone + 1]?.element;
  if (fromRowEnd === undefined || row === undefined || rows === undefined || !row.element.matches(ROWS)) return undefined;
  const [before] = row.before.filter((other) => other.isConnected);
  const next = before === undefined ? rows.firstElementChild : (before.nextElementSibling ?? before);
  const controls = next === null ? [] : controlsIn(next);
  return controls.at(-1 - fromRowEnd) ?? controls.at(-1);
}

/** The control next to a place whose own is gone. `undefined` when all that was around it is gone too. */
function nearest(place: Place): HTMLElement | undefined {
  const { steps } = place;
  const kept = steps.findIndex(({ element }) => element.isConnected);
  const sameRow = kept > 0 ? inNextRow(place, kept - 1) : undefined;
  if (sameRow !== undefined) return sameRow;
  for (let at = Math.max(kept, 1); at < steps.length; at += 1) {
    const [inner, outer] = [steps[at - 1], steps[at]];
    if (inner === undefined || outer === undefined || outer.element.matches(EDGES)) return undefined;
    if (inner.element.isConnected && isControl(inner.element)) return inner.element;
    // Another page is shown: its first control is one key away.
    if (outer.element.id === 'content') return outer.element as HTMLElement;
    const mark = inner.element.isConnected ? inner.element : inner.before.find((other) => other.isConnected);
    const found = nearestIn(outer.element, mark);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Watches until the returned function is called. One for the whole page. */
export function keepFocus(): () => void {
  let places: readonly Place[] = [];
  let input: 'keys' | 'pointer' = 'keys';
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isLost = (): boolean => {
    const last = places.at(-1)?.steps[0]?.element;
    // What was disabled under the focus keeps it until the next frame, and then nothing reports that it went.
    return document.activeElement?.matches('body, :disabled') === true && last !== undefined && !isControl(last) && document.hasFocus();
  };
  const restore = (): void => {
    timer = undefined;
    if (!isLost()) return;
    for (const place of places.toReversed()) {
      const own = place.steps[0]?.element;
      const target = own !== undefined && isControl(own) ? own : nearest(place);
      if (target === undefined) continue;
      // A field that is focused without keys would open the keyboard of a phone.
      if (input === 'keys' || !target.matches(TEXT_FIELDS)) target.focus({ preventScroll: input === 'pointer' });
      return;
    }
  };
  const look = (): void => {
    if (timer === undefined && isLost()) timer = setTimeout(restore, SETTLE_MS);
  };
  const remember = ({ target }: FocusEvent): void => {
    if (!(target instanceof Element) || target === document.body) return;
    const place = placeOf(target);
    const before = places.at(-1)?.stay === place.stay ? places.slice(0, -1) : places;
    places = [...before, place].slice(-REMEMBERED);
  };
  const press = ({ target }: PointerEvent): void => {
    input = 'pointer';
    // A click on nothing lets the focus go.
    if (target instanceof Element && target.closest(CONTROLS) === null) places = [];
  };
  const type = (): void => {
    input = 'keys';
  };

  const observer = new MutationObserver(look);
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled', 'hidden', 'inert'] });
  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', press, true);
  document.addEventListener('keydown', type, true);
  return () => {
    observer.disconnect();
    clearTimeout(timer);
    document.removeEventListener('focusin', remember);
    document.removeEventListener('pointerdown', press, true);
    document.removeEventListener('keydown', type, true);
  };
}
