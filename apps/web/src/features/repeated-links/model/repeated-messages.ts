import { formatCount, formatNumber } from '@linkoteca/domain/formats';

export const REPEATED_MESSAGES = {
  title: 'Links repetidos',
  lead: 'O mesmo endereço em mais de um lugar, mesmo escrito de outro jeito: com http, barra no fim, âncora ou parâmetros de rastreio.',
  open: 'Ver links repetidos',
  why: 'Encontra endereços que você salvou mais de uma vez e junta cada um em um link só.',
  list: 'Endereços repetidos',
  stays: 'Qual fica?',
  oldest: 'mais antigo',
  favorite: 'Favorito',
  join: 'Juntar',
  more: 'Mostrar mais',
  rest: 'Fica o título e o lugar do escolhido, a data do mais antigo, as descrições e a estrela. Os outros vão para a Lixeira.',
  empty: 'Nenhum link repetido',
  emptyHint: 'Cada endereço está na sua biblioteca uma vez só.',
  offline: 'Sem conexão',
  offlineHint: 'Os links repetidos aparecem quando a conexão voltar.',
  loadFailed: 'Não foi possível procurar links repetidos',
  loadFailedWhy: 'Tente de novo em instantes.',
  joinFailed: 'Não foi possível juntar os links',
  joinFailedWhy: 'Nada mudou. Tente de novo em instantes.',
  changed: 'Estes links mudaram em outro lugar',
  changedWhy: 'Nada foi juntado: veja de novo o que há.',
  someChanged: 'O que mudou em outro lugar ficou como estava.',
  back: 'Links de volta',
  backFailed: 'Não foi possível desfazer',
  backFailedWhy: 'Os links estão na Lixeira.',
} as const;

/** '3 endereços repetidos' */
export function describeAddresses(count: number): string {
  return formatCount(count, 'endereço repetido', 'endereços repetidos');
}

/** 'Juntar os 20 mostrados' */
export function describeJoinAll(count: number): string {
  return count === 1 ? 'Juntar o mostrado' : `Juntar os ${formatNumber(count)} mostrados`;
}

/** What a group is called: 'exemplo.com.br/receita, 3 links' */
export function describeGroup(address: string, count: number): string {
  return `${address}, ${formatCount(count, 'link', 'links')}`;
}

/** The oldest of so many copies are shown. */
export function describeRest(count: number): string {
  return `e mais ${formatCount(count, 'link', 'links')} deste endereço`;
}

/** What became of them. */
export function describeJoined(addresses: number, gone: number): string {
  const joined = addresses === 1 ? 'Links juntados' : `${formatNumber(addresses)} endereços juntados`;
  return `${joined}: ${formatCount(gone, 'link foi', 'links foram')} para a Lixeira`;
}
