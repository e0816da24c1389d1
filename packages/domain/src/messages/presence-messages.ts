import { SHARING_MESSAGES } from './sharing-messages.ts';

/**
 * 'Ana está aqui', 'Ana e Bia estão aqui', 'Ana e mais 2 estão aqui': who else looks at a category, by first names.
 * @param names of at least one person; null where somebody gave none.
 */
export function describeWhoIsHere(names: readonly (string | null)[]): string {
  const [first = '', second = '', ...more] = nameAll(names).map((name) => name.split(/\s/)[0]);
  if (second === '') return `${first} está aqui`;
  return more.length === 0
    ? `${first} e ${second} estão aqui`
    : `${first} e mais ${names.length - 1} estão aqui`;
}

/** 'Ana, Bia e Caio' */
export function listNames(names: readonly (string | null)[]): string {
  return new Intl.ListFormat('pt-BR').format(nameAll(names));
}

function nameAll(names: readonly (string | null)[]): string[] {
  return names.map((name) => name?.trim() || SHARING_MESSAGES.unknownOwner);
}
