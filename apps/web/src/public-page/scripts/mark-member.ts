/**
 * Before the first paint: the theme a person has fixed, and `data-member` where a sign-in is saved.
 * @param open gives the storage; it throws where the browser keeps none.
 */
export function markMember(root: HTMLElement, open: () => Storage): void {
  try {
    const storage = open();
    const theme = storage.getItem('linkoteca-theme');
    if (theme === 'light' || theme === 'dark') root.dataset['theme'] = theme;
    if (Object.keys(storage).some((key) => /^sb-.*-auth-token$/.test(key))) root.dataset['member'] = '';
  } catch {
    // Without storage nobody is signed in.
  }
}
