import { openStorage } from '../../../shared/lib/browser/open-storage.ts';

/** 'system' follows the device; the other two are fixed. */
export type ThemeChoice = 'system' | 'light' | 'dark';

/** The key that the script in index.html reads before the first paint. */
export const themeKey = 'linkoteca-theme';

/** The choice saved in this browser. */
export function readThemeChoice(): ThemeChoice {
  const saved = openStorage().getItem(themeKey);
  return saved === 'light' || saved === 'dark' ? saved : 'system';
}

/** Applies a choice to the page and remembers it. */
export function applyThemeChoice(choice: ThemeChoice): void {
  const { dataset } = document.documentElement;
  if (choice === 'system') delete dataset['theme'];
  else dataset['theme'] = choice;
  paintBrowserChrome(choice);
  try {
    if (choice === 'system') localStorage.removeItem(themeKey);
    else localStorage.setItem(themeKey, choice);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

const chromeColors = { light: '#fbfaf7', dark: '#0e0f12' } as const;

/** The bar of a phone's browser follows a fixed choice too, not only the device. */
export function paintBrowserChrome(choice: ThemeChoice): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.getAttribute('media')?.includes('dark') ? 'dark' : 'light';
    meta.content = chromeColors[choice === 'system' ? own : choice];
  }
}
