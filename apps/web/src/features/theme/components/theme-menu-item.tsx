import { MenuItem } from '../../../shared/ui/menu-item.tsx';
import { themeNames, useThemeChoice } from '../model/use-theme-choice.ts';
import { ThemeIcon } from './theme-icon.tsx';

/** The theme's three choices as an entry of the narrow-screen menu, which stays open. */
export function ThemeMenuItem() {
  const { choice, advance } = useThemeChoice();
  return (
    <MenuItem icon={<ThemeIcon choice={choice} />} keepOpen onSelect={advance}>
      Tema {themeNames[choice]}
    </MenuItem>
  );
}
