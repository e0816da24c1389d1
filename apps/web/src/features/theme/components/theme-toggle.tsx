import { IconButton } from '../../../shared/ui/icon-button.tsx';
import { themeNames, useThemeChoice } from '../model/use-theme-choice.ts';
import { ThemeIcon } from './theme-icon.tsx';

/** One button through the three choices: system, light, dark. */
export function ThemeToggle() {
  const { choice, following, advance } = useThemeChoice();
  return (
    <IconButton
      label={`Tema ${themeNames[choice]}. Mudar para tema ${themeNames[following]}`}
      onClick={advance}
    >
      <ThemeIcon choice={choice} />
    </IconButton>
  );
}
