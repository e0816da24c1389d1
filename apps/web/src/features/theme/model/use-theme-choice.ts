import { useEffect, useState } from 'react';
import type { ThemeChoice } from './theme-choice.ts';
import { applyThemeChoice, paintBrowserChrome, readThemeChoice, themeKey } from './theme-choice.ts';

const following: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };

/** How a choice is called on screen: 'Tema claro'. */
export const themeNames: Record<ThemeChoice, string> = {
  system: 'do sistema',
  light: 'claro',
  dark: 'escuro',
};

export interface ThemeControl {
  readonly choice: ThemeChoice;
  readonly following: ThemeChoice;
  /** Goes on to the following choice. */
  readonly advance: () => void;
}

/** The theme of the page, in step with other tabs. */
export function useThemeChoice(): ThemeControl {
  const [choice, setChoice] = useState(readThemeChoice);
  useEffect(() => {
    paintBrowserChrome(readThemeChoice());
    const follow = (event: StorageEvent) => {
      if (event.key !== themeKey) return;
      const chosen = event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : 'system';
      applyThemeChoice(chosen);
      setChoice(chosen);
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
  const advance = () => {
    applyThemeChoice(following[choice]);
    setChoice(following[choice]);
  };
  return { choice, following: following[choice], advance };
}
