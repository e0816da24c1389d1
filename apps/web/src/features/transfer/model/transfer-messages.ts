import { formatBytes } from '@linkoteca/domain/format-bytes';
import { formatCount, formatNumber } from '@linkoteca/domain/formats';
import { IMPORT_LIMITS } from '@linkoteca/domain/limits';
import type { LeftOutReason } from './arrange-import.ts';
import type { ExportFormat } from './bookmark-files.ts';

/** Words about taking bookmark files in and out. The refusal itself is the specification's, in sharing-messages.ts. */
export const TRANSFER_MESSAGES = {
  entry: 'Importar favoritos',
  gateReason: 'Importar e exportar favoritos faz parte dos planos Plus e Pro.',
  import: {
    title: 'Importar favoritos',
    explanation:
      'Traga o arquivo de favoritos do Chrome, Firefox, Safari, Edge, Raindrop ou Pocket: HTML, CSV ou JSON. Nada é gravado antes de você conferir.',
    choose: 'Escolher arquivo',
    drop: 'ou arraste o arquivo até aqui',
    dropNow: 'Solte o arquivo aqui',
    reading: 'Lendo o arquivo...',
    comparing: 'Comparando com a sua biblioteca...',
    cancel: 'Cancelar',
    other: 'Escolher outro arquivo',
    folders: 'Pastas do arquivo',
    categories: 'Categorias',
    allFolders: 'Todas as pastas',
    rename: 'Renomear',
    folderName: 'Nome da Pasta',
    categoryName: 'Nome da Categoria',
    categoryTaken: 'Já existe uma categoria com este nome nesta pasta',
    categoryTakenHint: 'Para deixar tudo em uma só, use “Juntar com…”.',
    join: 'Juntar com…',
    joinSearch: 'Buscar categoria',
    noneToJoin: 'Nenhuma categoria encontrada',
    leftOutTitle: 'O que fica de fora',
    shortenedTitle: 'Nomes encurtados',
    shortenedReason: 'Nomes vão até 50 caracteres. O que ficaria com o mesmo nome continua separado.',
    nothingLeft: 'Tudo o que você escolheu já está na sua biblioteca.',
    nothingFits: 'Não cabe mais nada no seu plano.',
    seePlans: 'Ver planos',
    writing: 'Importando...',
    paused: 'Importação pausada',
    offline: 'Sem conexão. A importação continua sozinha quando a rede voltar.',
    goOn: 'Continuar',
    stop: 'Parar',
    undo: 'Desfazer importação',
    undoing: 'Desfazendo...',
    undoFailed: 'Não foi possível desfazer a importação',
    previewFailed: 'Não foi possível comparar o arquivo com a sua biblioteca',
    failed: 'A importação parou',
    retry: 'Tentar de novo',
    offlineBefore: 'Você está sem conexão. Conecte-se para importar.',
  },
  export: {
    title: 'Exportar favoritos',
    explanation:
      'HTML abre em qualquer navegador, CSV em planilhas, e JSON volta para a Linkoteca com pastas, descrições, tags e datas.',
    scope: 'O que exportar',
    everything: 'Tudo',
    format: 'Formato',
    start: 'Exportar',
    preparing: 'Preparando o arquivo...',
    cancel: 'Cancelar',
    done: 'Seu arquivo está pronto',
    canceled: 'Exportação cancelada',
    failed: 'Não foi possível exportar os favoritos',
    offline: 'Você está sem conexão. A exportação é feita com os dados do servidor.',
  },
} as const;

/** What the formats are called where one is chosen. */
export const EXPORT_FORMAT_NAMES: Readonly<Record<ExportFormat, string>> = {
  html: 'HTML (navegadores)',
  csv: 'CSV (planilhas)',
  json: 'JSON (Linkoteca)',
};

/** Why a file cannot be read, and what can be done. */
export const UNREADABLE_FILE = {
  too_large: `O arquivo é grande demais: o máximo é ${formatBytes(IMPORT_LIMITS.fileBytes)}.`,
  unknown_format:
    'Não reconhecemos este arquivo. Escolha o HTML que o navegador exporta, um CSV ou um JSON da Linkoteca.',
  no_address_column:
    'Não encontramos uma coluna de endereços nesta tabela. Dê a uma coluna o nome "url" ou "endereço".',
  nothing_found: 'Este arquivo não tem favoritos.',
  failed: 'Não foi possível ler o arquivo. Tente de novo.',
} as const;

/** Why a line is left out, as the head of a list of them. */
export const LEFT_OUT_REASONS: Readonly<Record<LeftOutReason, string>> = {
  no_address: 'Sem endereço',
  not_web: 'Não são páginas da web (javascript:, file: e outros)',
  too_long: 'Endereço com mais de 500 caracteres',
  repeated: 'Repetidos na mesma categoria',
  too_many: `Além de ${formatNumber(IMPORT_LIMITS.links)} links por arquivo`,
};

interface Figures {
  readonly folders: number;
  readonly categories: number;
  readonly links: number;
}

/** '2 pastas, 5 categorias e 120 links', without what is none. */
export function describeFigures({ folders, categories, links }: Figures): string {
  const parts = [
    folders > 0 ? formatCount(folders, 'pasta', 'pastas') : null,
    categories > 0 ? formatCount(categories, 'categoria', 'categorias') : null,
    links > 0 ? formatCount(links, 'link', 'links') : null,
  ].filter((part) => part !== null);
  if (parts.length === 0) return '0 links';
  const last = parts.pop() ?? '';
  return parts.length === 0 ? last : `${parts.join(', ')} e ${last}`;
}

/** The name of a row's button, read aloud: 'Renomear Receitas'. */
export function describeRename(name: string): string {
  return `${TRANSFER_MESSAGES.import.rename} ${name}`;
}

/** The name of the button that asks what a category is put together with, and the title of what it opens. */
export function describeJoin(name: string): string {
  return `Juntar ${name} com…`;
}

/** Said when it is done. */
export function describeJoined(from: string, into: string): string {
  return `“${from}” entra junto com “${into}”`;
}

/** What is there already and not taken again. */
export function describeKnown(known: number): string {
  return known === 1
    ? '1 link já está na mesma categoria da sua biblioteca.'
    : `${formatNumber(known)} links já estão nas mesmas categorias da sua biblioteca.`;
}

/** How much room the plan has, where there is not enough. */
export function describeImportRoom(
  planName: string,
  room: { readonly links: number | null; readonly categories: number | null },
): string {
  const parts = [
    room.links === null ? null : `mais ${formatCount(Math.max(0, room.links), 'link', 'links')}`,
    room.categories === null
      ? null
      : `mais ${formatCount(Math.max(0, room.categories), 'categoria', 'categorias')}`,
  ].filter((part) => part !== null);
  return `No plano ${planName} cabem ${parts.join(' e ')}. Desmarque pastas para escolher o que entra. Ficam de fora:`;
}

/** The button that begins: what will be there afterwards. */
export function describeImportStart(links: number): string {
  return `Importar ${formatCount(links, 'link', 'links')}`;
}

/** '1.500 de 20.000 links' */
export function describeProgress(done: number, total: number): string {
  return `${formatNumber(done)} de ${formatCount(total, 'link', 'links')}`;
}

export function describeImported(made: Figures): string {
  return `Importação concluída: ${describeFigures(made)}.`;
}

/** An import that was stopped on its way: what is there of it. */
export function describeStopped(made: Figures, total: number): string {
  return `Importação interrompida: ${formatNumber(made.links)} de ${formatCount(total, 'link', 'links')}.`;
}

export function describeUndone(gone: Figures): string {
  return `Importação desfeita: ${describeFigures(gone)} a menos.`;
}

/** The import of the last day that can still be taken back. @param moment as formatMoment gives it. */
export function describeLastImport(made: Figures, moment: string): string {
  return `Última importação, ${moment}: ${describeFigures(made)}.`;
}
