import type { FolderColor } from '../folder-look.ts';

/** What people call the colours. */
export const COLOR_NAMES: Readonly<Record<FolderColor, string>> = {
  red: 'Vermelho',
  orange: 'Laranja',
  yellow: 'Mostarda',
  green: 'Verde',
  teal: 'Turquesa',
  blue: 'Azul',
  purple: 'Roxo',
  pink: 'Rosa',
};
