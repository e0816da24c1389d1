/** What the app says in place of a page that only the server has. */
export const DRAWN_PAGE_MESSAGES = {
  missing: {
    title: 'Esta página não está guardada neste aparelho',
    description: 'Ela abre quando houver conexão.',
  },
} as const;
