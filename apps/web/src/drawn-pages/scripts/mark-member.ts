/**
 * Before the first paint: the theme a person has fixed, and `data-member` where a sign-in is saved.
 * @param open gives the storage; it throws where the browser keeps none.
 */
export function markMember(root: HTMLElement, open: () => Storage): void {
  try {
    const storage = open();
    const theme = storage.getItem('linkoteca-theme');
    if (theme === 'light' || theme === 'dark') fixTheme(root, theme);
    if (Object.keys(storage).some((key) => /^sb-.*-auth-token$/.test(key))) root.dataset['member'] = '';
  } catch {
    // Without storage nobody is signed in.
  }
}

/** The bar of a phone's browser takes the fixed theme's colour, too. */
function fixTheme(root: HTMLElement, theme: 'light' | 'dark'): void {
  root.dataset['theme'] = theme;
  const bars = [...root.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')];
  const color = bars.find(({ media }) => media.includes(theme))?.content;
  if (color !== undefined) for (const bar of bars) bar.content = color;
}
