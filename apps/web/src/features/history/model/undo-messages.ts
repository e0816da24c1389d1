import { formatCount, formatNumber } from '@linkoteca/domain/formats';

/** 'Desfazer' of what a program did. */
export const UNDO_MESSAGES = {
  undo: 'Desfazer',
  undoing: 'Desfazendo…',
  undone: 'Desfeito',
  title: (program: string | null) => `Desfazer o que o programa “${program ?? ''}” fez?`,
  lead: 'O programa fez isto de uma vez, e de uma vez volta atrás:',
  failed: 'Não foi possível desfazer',
  tooLarge: 'Não dá para desfazer: foram mudanças demais de uma vez.',
  never: 'Não dá para desfazer daqui.',
  nothing: 'Não há nada a desfazer.',
} as const;

/** How many rows of an act come back, and how many stay, by the database's names of it. */
export type ActCounts = Readonly<Partial<Record<keyof typeof RETURNS | keyof typeof STAYS, number>>>;

type Words = readonly [one: string, many: string];

/** What comes back, each a sentence behind its count. */
const RETURNS = {
  saved: ['vai para a Lixeira', 'vão para a Lixeira'],
  deleted: ['volta da Lixeira', 'voltam da Lixeira'],
  moved: ['volta para onde estava', 'voltam para onde estavam'],
  changed: ['volta a ser como era', 'voltam a ser como eram'],
  tagged: ['volta a ter as tags de antes', 'voltam a ter as tags de antes'],
  renamed: ['volta a ter o nome e a descrição de antes', 'voltam a ter o nome e a descrição de antes'],
} as const satisfies Record<string, Words>;

/** What stays as it is, and why. */
const STAYS = {
  changed_since: ['já foi mudado depois e fica como está', 'já foram mudados depois e ficam como estão'],
  gone: ['não está mais na Lixeira', 'não estão mais na Lixeira'],
  place_gone: ['fica: a categoria de antes não existe mais', 'ficam: a categoria de antes não existe mais'],
  not_yours: ['fica: você não pode mais escrever lá', 'ficam: você não pode mais escrever lá'],
} as const satisfies Record<string, Words>;

/** Counts as the database answers them; what is none counts as nothing. Pure. */
export function readActCounts(answer: unknown): ActCounts {
  const known = [...Object.keys(RETURNS), ...Object.keys(STAYS)];
  const fields = typeof answer === 'object' && answer !== null ? Object.entries(answer) : [];
  return Object.fromEntries(
    fields.filter(([name, count]) => known.includes(name) && typeof count === 'number' && count > 0),
  );
}

/** '40 links voltam para onde estavam.', a sentence for each kind. Empty where nothing comes back. Pure. */
export function describeReturns(counts: ActCounts): readonly string[] {
  return sentences(counts, RETURNS, (name, count) =>
    name === 'renamed' ? formatCount(count, 'categoria', 'categorias') : formatCount(count, 'link', 'links'),
  );
}

/** '2 já foram mudados depois e ficam como estão.', a sentence for each reason. Pure. */
export function describeStays(counts: ActCounts): readonly string[] {
  return sentences(counts, STAYS, (_name, count) => formatNumber(count));
}

function sentences<Name extends keyof ActCounts>(
  counts: ActCounts,
  words: Readonly<Record<Name, Words>>,
  countOf: (name: Name, count: number) => string,
): readonly string[] {
  return (Object.keys(words) as Name[]).flatMap((name) => {
    const count = counts[name] ?? 0;
    const [one, many] = words[name];
    return count === 0 ? [] : [`${countOf(name, count)} ${count === 1 ? one : many}.`];
  });
}
