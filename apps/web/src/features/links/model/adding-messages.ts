import { formatCount, formatNumber } from '@linkoteca/domain/formats';
import { LINK_MESSAGES } from '@linkoteca/domain/messages/link-messages';

/** What the form of a new link and the dialog for many say beyond section 8. */
export const ADDING_MESSAGES = {
  titleHint: 'Em branco, buscamos na página.',
  searchingTitle: 'Buscando título…',
  typeYours: 'Se preferir, digite o seu.',
  titleNotFound: 'Não encontramos o título desta página.',
  titleFromPage: 'Preenchido com o que a página diz.',
  lastUsed: 'A última que você usou.',
  madeWithLink: 'Criada quando você salvar. Depois você muda os nomes.',
  creating: 'Criando categoria...',
  typeName: 'Digite um nome para criar a primeira.',
  alreadyHere: 'Este endereço já está em',
  goToLink: 'Ir para o link',
  repeated: 'Repetido nesta lista',
  nothingChosen: 'Escolha pelo menos um link',
  manyFailed: 'Não foi possível salvar os links',
  tooManyTitles: 'Muitas buscas seguidas: os outros ficam com o nome do site.',
} as const;

/** '12 links salvos com sucesso'; one link takes the singular the catalogue already has. */
export function describeSavedLinks(count: number): string {
  return count === 1 ? LINK_MESSAGES.created : `${formatNumber(count)} links salvos com sucesso`;
}

/** How much room the plan has for a pasted list; null is unlimited. */
export function describeRoom(remaining: number | null): string | null {
  if (remaining === null) return null;
  if (remaining <= 0) return 'Seu plano não tem mais espaço para links.';
  return remaining === 1
    ? 'Cabe mais 1 link no seu plano.'
    : `Cabem mais ${formatNumber(remaining)} links no seu plano.`;
}

/** What of a pasted list the plan has no room for, and stays unticked. */
export function describeLeftOut(count: number, max: number): string {
  const plan = `no seu plano (${formatCount(max, 'link', 'links')})`;
  return count === 1
    ? `1 não cabe ${plan} e ficou desmarcado.`
    : `${formatNumber(count)} não cabem ${plan} e ficaram desmarcados.`;
}

/** What to do when more is chosen than fits. */
export function describeExcess(excess: number): string {
  return `Desmarque ${formatCount(excess, 'link', 'links')} para salvar.`;
}

/** '3 links encontrados', how many of them are there twice, and what of the text could not be read. */
export function describePastedList(links: number, repeated: number, unreadable: number): string {
  const parts = [formatCount(links, 'link encontrado', 'links encontrados')];
  if (repeated > 0) parts.push(formatCount(repeated, 'repetido', 'repetidos'));
  if (unreadable > 0) parts.push(formatCount(unreadable, 'linha sem link', 'linhas sem link'));
  return parts.join(' · ');
}

/** A save in several requests that stopped on its way. */
export function describePartialSave(saved: number, total: number): string {
  return `${formatNumber(saved)} de ${formatNumber(total)} links foram salvos`;
}

/** Where a link stands: 'Pasta / Categoria'. */
export function describePlace(folderName: string, categoryName: string): string {
  return folderName === '' ? categoryName : `${folderName} / ${categoryName}`;
}
