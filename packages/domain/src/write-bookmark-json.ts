import type { BookmarkLibrary } from './bookmark-file.ts';

/** What the file says it is. A change that old readers would misread is a new version. */
export const BOOKMARK_JSON = { formato: 'linkoteca-favoritos', versao: 1 } as const;

/** The library as JSON, folders within it. Gives the text in parts, a category each. */
export function* writeBookmarkJson({ folders }: BookmarkLibrary): Generator<string> {
  yield `${JSON.stringify(BOOKMARK_JSON).slice(0, -1)},"pastas":[`;
  for (const [index, folder] of folders.entries()) {
    yield `${index === 0 ? '' : ','}\n{"nome":${JSON.stringify(folder.name)},"criadaEm":${JSON.stringify(folder.createdAt)},"categorias":[`;
    for (const [place, { name, description, createdAt, links }] of folder.categories.entries()) {
      const category = {
        nome: name,
        descricao: description,
        criadaEm: createdAt,
        links: links.map((link) => ({
          titulo: link.title,
          endereco: link.url,
          descricao: link.description,
          criadoEm: link.createdAt,
        })),
      };
      yield `${place === 0 ? '' : ','}\n${JSON.stringify(category)}`;
    }
    yield ']}';
  }
  yield '\n]}\n';
}
