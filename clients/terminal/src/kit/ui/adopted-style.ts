/**
 * Stands in for `react-style-singleton`, with which Radix locks the page's scroll behind a dialog.
 * A constructed style sheet needs no <style> element, so the strict content security policy holds.
 */
import { useEffect } from 'react';

interface StyleSheetSingleton {
  add(css: string): void;
  remove(): void;
}

export function stylesheetSingleton(): StyleSheetSingleton {
  let users = 0;
  const sheet = new CSSStyleSheet();
  return {
    add(css) {
      // The library's contract: the first user's text holds for all, until the last one has gone.
      if (users === 0) {
        sheet.replaceSync(css);
        document.adoptedStyleSheets.push(sheet);
      }
      users += 1;
    },
    remove() {
      users -= 1;
      if (users === 0) document.adoptedStyleSheets = document.adoptedStyleSheets.filter((adopted) => adopted !== sheet);
    },
  };
}

export function styleHookSingleton(): (css: string) => void {
  const sheet = stylesheetSingleton();
  return function useStyle(css) {
    useEffect(() => {
      sheet.add(css);
      return () => sheet.remove();
    }, [css]);
  };
}

export function styleSingleton(): (props: { readonly styles: string }) => null {
  const useStyle = styleHookSingleton();
  return function Sheet({ styles }) {
    useStyle(styles);
    return null;
  };
}
