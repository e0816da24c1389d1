import { PLANS } from '../plans.ts';

/** Words about the covers of links. */
export const COVER_MESSAGES = {
  refresh: 'Atualizar capa',
  remove: 'Tirar capa',
  refreshed: 'Capa atualizada',
  removed: 'Capa tirada',
  none: 'Esta página não tem uma imagem própria',
  busy: 'Muitas capas em pouco tempo',
  busyHint: 'Tente de novo em um minuto.',
  failed: 'Não conseguimos buscar a capa',
  removeFailed: 'Não conseguimos tirar a capa',
  tryAgain: 'Tente de novo.',
  offline: 'Conecte-se para mudar a capa.',
  full: 'Sem espaço para mais capas',
} as const;

/** Why no more covers are kept, and that nothing else is lacking. */
export function describeFullCovers(megabytes: number): string {
  return `Seu espaço de ${megabytes} MB está cheio. Seus links continuam aqui, com a letra no lugar da capa.`;
}

/** Whether another plan has room for more. */
export function isStorageLargest(megabytes: number): boolean {
  return Object.values(PLANS).every(({ storageMegabytes }) => storageMegabytes <= megabytes);
}
