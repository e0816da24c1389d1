/** 'Desfazer' of what a program did. */
export const UNDO_MESSAGES = {
  undo: 'Desfazer',
  undoing: 'Desfazendo…',
  undone: 'Desfeito',
  title: (program: string | null) => `Desfazer o que o programa “${program ?? ''}” fez?`,
  lead: 'Tudo de uma vez:',
  failed: 'Não foi possível desfazer',
  tooLarge: 'Não dá para desfazer: foram mudanças demais de uma vez.',
  never: 'Não dá para desfazer daqui.',
  nothing: 'Não há nada a desfazer.',
} as const;

type Words = readonly [one: string, many: string];

/** What comes back, each behind its count. */
export const RETURNS = {
  saved: ['vai para a Lixeira', 'vão para a Lixeira'],
  deleted: ['volta da Lixeira', 'voltam da Lixeira'],
  moved: ['volta para onde estava', 'voltam para onde estavam'],
  changed: ['volta a ser como era', 'voltam a ser como eram'],
  tagged: ['volta a ter as tags de antes', 'voltam a ter as tags de antes'],
  renamed: ['volta a ter o nome e a descrição de antes', 'voltam a ter o nome e a descrição de antes'],
} as const satisfies Record<string, Words>;

/** What stays as it is, and why, each behind its count. */
export const STAYS = {
  changed_since: ['já foi mudado depois e fica como está', 'já foram mudados depois e ficam como estão'],
  gone: ['não está mais na Lixeira', 'não estão mais na Lixeira'],
  place_gone: ['fica: a categoria de antes não existe mais', 'ficam: a categoria de antes não existe mais'],
  not_yours: ['fica: você não pode mais escrever lá', 'ficam: você não pode mais escrever lá'],
} as const satisfies Record<string, Words>;
