import { formatCount } from '@linkoteca/domain/formats';

/** 'Histórico' of a category. */
export const HISTORY_MESSAGES = {
  title: 'Histórico',
  lead: 'O que mudou nos últimos 30 dias.',
  leadOfMembers: 'O que as pessoas da pasta mudaram nos últimos 30 dias, desde que você está nela.',
  noneOfMembers: 'As pessoas da pasta não mudaram nada nos últimos 30 dias.',
  none: 'Nada mudou nos últimos 30 dias.',
  list: 'Mudanças, da mais nova à mais antiga',
  older: 'Mostrar mais',
  loadFailed: 'Não foi possível carregar o histórico',
  loadFailedWhy: 'Verifique sua conexão e tente de novo.',
} as const;

export interface CategoryChange {
  readonly act: string;
  readonly count: number;
  /** What it was about, the first of several. */
  readonly subject: string | null;
  /** null: no program; '': the server; else a program's name. */
  readonly program: string | null;
  /** null: whoever looks; '': somebody whose account is closed; else the name of somebody who has the folder too. */
  readonly person: string | null;
}

type Words = (count: number, subject: string | null) => string;

/** '“Pão” salvo', '3 links salvos, entre eles “Pão”' */
const ofLinks =
  (one: string, many: string): Words =>
  (count, subject) => {
    const quoted = subject === null ? null : `“${subject}”`;
    if (count === 1) return quoted === null ? `Link ${one}` : `Link ${one}: ${quoted}`;
    const counted = `${formatCount(count, 'link', 'links')} ${many}`;
    return quoted === null ? counted : `${counted}, entre eles ${quoted}`;
  };

const ACTS: Readonly<Record<string, Words>> = {
  saved: ofLinks('salvo', 'salvos'),
  changed: ofLinks('alterado', 'alterados'),
  moved_in: ofLinks('movido para cá', 'movidos para cá'),
  moved_out: ofLinks('movido para outra categoria', 'movidos para outra categoria'),
  tagged: ofLinks('com outras tags', 'com outras tags'),
  deleted: ofLinks('excluído', 'excluídos'),
  renamed: (_count, subject) =>
    subject === null ? 'Nome ou descrição alterados' : `Nome ou descrição alterados: “${subject}”`,
  published: () => 'Tornada pública',
  unpublished: () => 'Deixou de ser pública',
  shared: (count) => `Compartilhada com ${formatCount(count, 'pessoa', 'pessoas')}`,
  unshared: (count) => `Compartilhamento retirado de ${formatCount(count, 'pessoa', 'pessoas')}`,
};

/** What happened, in a line; of an act that this app does not know, that something changed. */
export function describeChange({ act, count, subject }: CategoryChange): string {
  return ACTS[act]?.(count, subject) ?? 'Categoria alterada';
}

/** Who did it. A program's name is its own choice: it stands in quotation marks. */
export function describeDoer({ program, person }: CategoryChange): string {
  if (program === '') return 'Linkoteca';
  const who = person === '' ? 'Conta encerrada' : (person ?? 'Você');
  if (program === null) return who;
  return person === null ? `Programa “${program}”` : `${who} · programa “${program}”`;
}
