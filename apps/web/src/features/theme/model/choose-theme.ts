import { applyThemeChoice, type ThemeChoice, themeKey } from './theme-choice.ts';

/** Sets the theme from anywhere: told to this tab's button as another tab would tell it (useThemeChoice). */
export function chooseTheme(choice: ThemeChoice): void {
  applyThemeChoice(choice);
  const newValue = choice === 'system' ? null : choice;
  window.dispatchEvent(new StorageEvent('storage', { key: themeKey, newValue }));
}
