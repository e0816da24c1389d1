import { formatCount } from '../formats.ts';

/** Words of the page of a public folder, where its owner switches it on. */
export const FOLDER_PAGE_MESSAGES = {
  title: 'Página pública da pasta',
  hint: 'Um só endereço com as categorias públicas desta pasta.',
  waiting: 'Nenhuma categoria desta pasta é pública. A página abre quando houver uma.',
  limited:
    'As categorias públicas desta pasta têm senha ou prazo vencido. A página abre quando uma não tiver.',
  on: 'Página da pasta publicada',
  off: 'Página da pasta retirada',
  failed: 'Não foi possível mudar a página da pasta',
} as const;

/** How many of the folder's categories stand on its page: those whose own page opens to everybody. */
export function describeOnPage(page: { readonly publicCount: number; readonly openCount: number }): string {
  if (page.openCount > 0)
    return `${formatCount(page.openCount, 'categoria pública', 'categorias públicas')} na página.`;
  return page.publicCount === 0 ? FOLDER_PAGE_MESSAGES.waiting : FOLDER_PAGE_MESSAGES.limited;
}
