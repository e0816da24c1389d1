import { formatCount } from '../formats.ts';
import { SHARING_MESSAGES } from './sharing-messages.ts';

/** Words of the public page of a category, its feeds and its frame. */
export const PUBLIC_PAGE_MESSAGES = {
  siteName: 'Linkoteca',
  copy: 'Copiar para minha biblioteca',
  filter: 'Filtrar e ordenar',
  cards: 'Cartões',
  list: 'Lista',
  view: 'Modo de exibição',
  older: 'Mais links',
  newest: 'Voltar ao começo',
  pages: 'Páginas',
  empty: 'Nenhum link encontrado nesta categoria',
  emptyHint: 'Quando houver links aqui, eles aparecem nesta página.',
  callTitle: 'Monte a sua própria estante de links',
  callText: 'Guarde, organize e encontre seus links em segundos. É grátis para começar.',
  callAction: 'Criar Conta Grátis',
  feed: 'Assinar por RSS',
  terms: 'Termos de uso',
  privacy: 'Política de privacidade',
  openPage: 'Ver na Linkoteca',
  missing: 'Categoria não encontrada',
  categories: 'Categorias',
  missingHint: 'Ela pode ter sido removida ou deixado de ser pública.',
  unavailable: 'Voltamos já',
  unavailableHint: 'Não conseguimos abrir esta página agora. Tente de novo em instantes.',
  retry: 'Tentar de novo',
} as const;

/** The owner's name as it is shown; 'Usuário' when it is unknown. */
export function nameOwner(owner: string | null): string {
  return owner?.trim() || SHARING_MESSAGES.unknownOwner;
}

/** 'Receitas · Linkoteca'. */
export function describePublicTitle(name: string): string {
  return `${name} · ${PUBLIC_PAGE_MESSAGES.siteName}`;
}

/** What search engines and chats show below the title: the owner's own words, or who collected how much. */
export function describePublicPage(category: {
  readonly description: string | null;
  readonly owner_name: string | null;
  readonly link_count: number;
}): string {
  const { description, owner_name, link_count } = category;
  const own = description?.replace(/\s+/g, ' ').trim();
  if (own) return own;
  const count = formatCount(link_count, 'link reunido', 'links reunidos');
  return `${count} por ${nameOwner(owner_name)} na Linkoteca.`;
}

/** What search engines and chats show below the title of a folder. */
export function describePublicFolder(folder: {
  readonly owner_name: string | null;
  readonly categories: readonly { readonly link_count: number }[];
}): string {
  const { categories, owner_name } = folder;
  const links = categories.reduce((sum, { link_count }) => sum + link_count, 0);
  return `${formatCount(categories.length, 'categoria', 'categorias')} e ${countLinks(links)} por ${nameOwner(owner_name)} na Linkoteca.`;
}

/** '12 links' or '1 link'. */
export function countLinks(count: number): string {
  return formatCount(count, 'link', 'links');
}
