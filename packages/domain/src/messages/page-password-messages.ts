/** Words of a public page that asks for a password, for whoever comes to it. */
export const PAGE_PASSWORD_MESSAGES = {
  title: 'Esta página tem senha',
  description: 'Peça a senha a quem passou o link a você.',
  field: 'Senha',
  open: 'Abrir',
  missing: 'Digite a senha.',
  wrong: 'Senha incorreta',
  failed: 'Não foi possível abrir a página. Tente de novo em instantes.',
} as const;
