import { Monitor, Moon, Sun } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../../../shared/ui/icon-button.tsx';
import type { ThemeChoice } from '../model/theme-choice.ts';
import { applyThemeChoice, paintBrowserChrome, readThemeChoice, themeKey } from '../model/theme-choice.ts';

const next: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };
const names: Record<ThemeChoice, string> = { system: 'do sistema', light: 'claro', dark: 'escuro' };
const icons = { system: Monitor, light: Sun, dark: Moon } as const;

/** One button through the three choices; other tabs follow. */
export function ThemeToggle() {
  const [choice, setChoice] = useState(readThemeChoice);
  useEffect(() => {
    paintBrowserChrome(readThemeChoice());
    const follow = (event: StorageEvent) => {
      if (event.key !== themeKey) return;
      const chosen = readThemeChoice();
      applyThemeChoice(chosen);
      setChoice(chosen);
    };
    window.addEventListener('storage', follow);
    return () => window.removeEventListener('storage', follow);
  }, []);
  const change = () => {
    applyThemeChoice(next[choice]);
    setChoice(next[choice]);
  };
  const Icon = icons[choice];
  return (
    <IconButton label={`Tema ${names[choice]}. Mudar para tema ${names[next[choice]]}`} onClick={change}>
      <Icon aria-hidden />
    </IconButton>
  );
}
