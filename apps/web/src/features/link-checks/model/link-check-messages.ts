import { formatDate } from '@linkoteca/domain/dates';
import { formatCount, formatNumber } from '@linkoteca/domain/formats';
import type { LinkChecks } from '../api/link-checks.ts';

export const LINK_CHECK_MESSAGES = {
  title: 'Links quebrados',
  why: 'A Linkoteca abre cada um dos seus links uma vez por mês e marca os que falham duas vezes, em dias diferentes. Só você vê as marcas.',
  turnOn: 'Verificar meus links',
  turnOff: 'Desligar verificação',
  turnedOn: 'Verificação ligada',
  turnedOff: 'Verificação desligada',
  forgotten: 'O que foi visto até aqui foi esquecido.',
  patience: 'As primeiras marcas aparecem depois de uns três dias.',
  failed: 'Não foi possível mudar a verificação',
  failedWhy: 'Tente de novo em instantes.',
  loadFailed: 'Não foi possível ver como está a verificação',
  notHere: 'Esta instalação não verifica links.',
  open: 'Ver links quebrados',
  none: 'Nenhum link quebrado',
  archive: 'Cópia no Internet Archive',
} as const;

/** How far looking at them has come: '20 de 500 links verificados', 'Última volta em 12/11/2026'. */
export function describeProgress({ total, checked, ended_at }: LinkChecks): string {
  if (ended_at !== null && checked >= total) return `Última volta em ${formatDate(ended_at)}`;
  return `${formatNumber(checked)} de ${formatCount(total, 'link verificado', 'links verificados')}`;
}

/** '3 links quebrados' */
export function describeBrokenCount(count: number): string {
  return count === 0 ? LINK_CHECK_MESSAGES.none : formatCount(count, 'link quebrado', 'links quebrados');
}

/** What a broken link's site says: 'Página não encontrada (404) desde 12/11/2026'. @param status null where nobody answers. */
export function describeBroken(status: number | null, since: string): string {
  return `${describeStatus(status)} desde ${formatDate(since)}`;
}

function describeStatus(status: number | null): string {
  if (status === null) return 'O site não responde';
  if (status === 404) return 'Página não encontrada (404)';
  return status === 410 ? 'Página removida (410)' : `O site responde com erro (${status})`;
}

/** Where the Internet Archive shows what it kept of an address, the newest first. */
export function archiveAddress(url: string): string {
  return `https://web.archive.org/web/${url}`;
}
