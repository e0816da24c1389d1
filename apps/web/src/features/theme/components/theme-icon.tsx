import { Monitor, Moon, Sun } from 'lucide-react';
import type { ThemeChoice } from '../model/theme-choice.ts';

const icons = { system: Monitor, light: Sun, dark: Moon } as const;

/** The picture of a theme choice. */
export function ThemeIcon({ choice }: { readonly choice: ThemeChoice }) {
  const Icon = icons[choice];
  return <Icon aria-hidden />;
}
