/** What opens the people of a folder; it stands in menus that everybody loads, apart from the words behind it. */
export const SHARE_FOLDER_LABEL = 'Compartilhar pasta…';

/** 'Adicionado por Ana' */
export function describeAddedBy(name: string): string {
  return `Adicionado por ${name}`;
}
