/** The panels of /profile in their order, by their names in the address, with what their tabs say. */
export const PROFILE_TABS = {
  personal: 'Dados pessoais',
  security: 'Segurança',
  billing: 'Faturamento',
  programs: 'Programas',
  data: 'Dados',
} as const;

export type ProfileTab = keyof typeof PROFILE_TABS;

export const PROFILE_TAB_NAMES = Object.keys(PROFILE_TABS) as readonly ProfileTab[];
