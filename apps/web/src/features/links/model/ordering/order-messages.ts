import { formatNumber } from '@linkoteca/domain/formats';

/** What the app says about the order that a category has of its own. */
export const ORDER_MESSAGES = {
  own: 'Minha ordem',
  received: 'Ordem da categoria',
  begin: 'Mudar a ordem',
  toTop: 'Levar ao começo',
  up: 'Subir',
  down: 'Descer',
  on: {
    title: 'Esta categoria agora tem a sua ordem',
    description: 'Arraste os links, ou use Alt com as setas para cima e para baixo.',
    byTouch: 'Segure um link e leve-o ao lugar que quiser.',
  },
  setFailed: 'Não foi possível mudar a ordem da categoria',
  placeFailed: 'Não foi possível mudar o link de lugar',
  undone: 'Link de volta ao seu lugar',
  undoFailed: 'Não foi possível desfazer a mudança',
  tryAgain: 'Tente de novo.',
  first: 'Já é o primeiro link',
  last: 'Já é o último link',
} as const;

/** After links were dropped somewhere else in the list. */
export function describePlacing(count: number): string {
  return count === 1 ? 'Link mudou de lugar' : `${formatNumber(count)} links mudaram de lugar`;
}

/** Where a link stands now, for who does not see it. */
export function describePlace(title: string, place: number, total: number): string {
  return `${title}: lugar ${formatNumber(place)} de ${formatNumber(total)}`;
}
