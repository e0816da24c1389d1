/** What the app says of the daily mail about what others added to shared places. */
export const DAILY_MAIL_MESSAGES = {
  // 'E-mail' is what the address above is called: no other name on the panel holds that word.
  title: 'Resumo de novidades',
  label: 'Resumo diário',
  hint: 'No máximo um e-mail por dia, quando alguém adiciona links ao que é compartilhado com você.',
  turnedOn: 'Resumo diário ligado',
  turnedOnWhy: 'O primeiro chega amanhã de manhã, se houver novidade.',
  turnedOff: 'Resumo diário desligado',
  failed: 'Não foi possível mudar o resumo diário',
  failedWhy: 'Tente de novo em instantes.',
  loadFailed: 'Não foi possível ver se o resumo diário está ligado',
  offline: 'O resumo diário aparece aqui quando houver conexão.',
} as const;
