import { formatMoment } from '@linkoteca/domain/dates';

/** What the owner of a public page reads of its limits. */
export const PAGE_LIMIT_MESSAGES = {
  end: 'Prazo',
  never: 'Sem prazo',
  days: { '1': 'Por 1 dia', '7': 'Por 7 dias', '30': 'Por 30 dias' },
  day: 'Até uma data…',
  dayField: 'Último dia',
  wrongDay: 'Escolha um dia de hoje em diante.',
  password: 'Pedir senha',
  passwordHint: 'Além do link, é preciso saber a senha.',
  passwordField: 'Senha da página',
  passwordRule: 'De 8 a 72 caracteres. Não use a senha da sua conta.',
  changePassword: 'Trocar a senha',
  withPassword: 'Com senha',
  endHint: 'Depois do prazo, o link deixa de abrir para quem não é você.',
} as const;

/** 'Até 03/12/2026 às 14:32', or that it is over. */
export function describePageEnd(end: Date, now: Date): string {
  const moment = formatMoment(end, now);
  return end <= now ? `Terminou: ${moment}` : `Até ${moment}`;
}
