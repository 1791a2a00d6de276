/** Regions of a page between which keys go: each is marked, named and can have the focus. */

export interface PanelMark {
  readonly role: 'region';
  readonly 'aria-label': string;
  readonly tabIndex: -1;
  readonly 'data-panel': '';
}

/** For the outermost element of a panel. */
export const panelMark = (label: string): PanelMark => ({ role: 'region', 'aria-label': label, tabIndex: -1, 'data-panel': '' });

/** The panels in view, in the order of the page. */
export const panelsIn = (root: ParentNode): readonly HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>('[data-panel]')].filter((panel) => panel.checkVisibility());
