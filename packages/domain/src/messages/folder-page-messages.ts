import { formatCount } from '../formats.ts';

/** Words of the page of a public folder, where its owner switches it on. */
export const FOLDER_PAGE_MESSAGES = {
  title: 'Página pública da pasta',
  hint: 'Um só endereço com as categorias públicas desta pasta.',
  waiting: 'Nenhuma categoria desta pasta é pública. A página abre quando houver uma.',
  on: 'Página da pasta publicada',
  off: 'Página da pasta retirada',
  failed: 'Não foi possível mudar a página da pasta',
} as const;

/** How many of the folder's categories stand on its page. */
export function describeOnPage(count: number): string {
  return count === 0
    ? FOLDER_PAGE_MESSAGES.waiting
    : `${formatCount(count, 'categoria pública', 'categorias públicas')} na página.`;
}
