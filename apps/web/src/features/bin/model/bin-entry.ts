import { formatCount } from '@linkoteca/domain/formats';

/** A deletion that can be restored: what went in one act. */
export interface BinEntry {
  readonly id: number;
  /** What it is named after; whatever was inside went along. */
  readonly itemType: 'folder' | 'category' | 'link';
  /** Of one of them, where it is several. */
  readonly name: string;
  readonly folderCount: number;
  readonly categoryCount: number;
  readonly linkCount: number;
  /** Where it was: of a category its folder, of links both. */
  readonly folderName: string | null;
  readonly categoryName: string | null;
  readonly deletedAt: Date;
  /** Goes for good then. */
  readonly purgeAfter: Date;
}

/** 'Roteador', or 'Roteador e mais 4 links'. */
export function nameEntry({ itemType, name, folderCount, categoryCount, linkCount }: BinEntry): string {
  const others = { folder: folderCount, category: categoryCount, link: linkCount }[itemType] - 1;
  if (others < 1) return name;
  const [singular, plural] = NOUNS[itemType];
  return `${name} e mais ${formatCount(others, singular, plural)}`;
}

const NOUNS = {
  folder: ['pasta', 'pastas'],
  category: ['categoria', 'categorias'],
  link: ['link', 'links'],
} as const;

/** What it is, where it was, and what is in it: 'Categoria em Estudos, com 3 links'. */
export function describeEntry(entry: BinEntry): string {
  const { itemType, folderName, categoryName, categoryCount, linkCount } = entry;
  if (itemType === 'link') {
    const place = [folderName, categoryName].filter(Boolean).join(' › ');
    return place === '' ? 'Link' : place;
  }
  if (itemType === 'category')
    return withContent(folderName ? `Categoria em ${folderName}` : 'Categoria', [
      formatCount(linkCount, ...NOUNS.link),
    ]);
  const content = [formatCount(categoryCount, ...NOUNS.category)];
  if (linkCount > 0) content.push(formatCount(linkCount, ...NOUNS.link));
  return categoryCount === 0 ? 'Pasta' : withContent('Pasta', content);
}

function withContent(what: string, content: readonly string[]): string {
  return content[0]?.startsWith('0 ') ? what : `${what}, com ${content.join(' e ')}`;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** 'Excluído há 3 dias · sai em 27 dias'. */
export function describeTime(entry: BinEntry, now: Date): string {
  return `${agree(entry)} ${describeAge(now.getTime() - entry.deletedAt.getTime())} · ${describeRest(
    entry.purgeAfter.getTime() - now.getTime(),
  )}`;
}

function agree({ itemType, folderCount, categoryCount, linkCount }: BinEntry): string {
  const many = { folder: folderCount, category: categoryCount, link: linkCount }[itemType] > 1;
  return `${itemType === 'link' ? 'Excluído' : 'Excluída'}${many ? 's' : ''}`;
}

function describeAge(age: number): string {
  if (age < MINUTE) return 'agora';
  if (age < HOUR) return `há ${formatCount(Math.floor(age / MINUTE), 'minuto', 'minutos')}`;
  if (age < DAY) return `há ${formatCount(Math.floor(age / HOUR), 'hora', 'horas')}`;
  return `há ${formatCount(Math.floor(age / DAY), 'dia', 'dias')}`;
}

function describeRest(rest: number): string {
  if (rest <= HOUR) return 'sai em menos de uma hora';
  if (rest <= DAY) return `sai em ${formatCount(Math.ceil(rest / HOUR), 'hora', 'horas')}`;
  return `sai em ${formatCount(Math.ceil(rest / DAY), 'dia', 'dias')}`;
}
