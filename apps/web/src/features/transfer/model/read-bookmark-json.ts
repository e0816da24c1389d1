import type { BookmarkFile, FileFolder, FileLink } from '@linkoteca/domain/bookmark-file';
import * as v from 'valibot';
import { readFileDate } from './read-file-date.ts';

const text = v.optional(v.nullable(v.string()), null);
const link = v.object({ titulo: text, endereco: text, descricao: text, criadoEm: text });

/** Our own export: categories within folders, links within categories. */
const exported = v.object({
  formato: v.literal('linkoteca-favoritos'),
  pastas: v.array(
    v.object({
      nome: v.string(),
      categorias: v.array(v.object({ nome: v.string(), descricao: text, links: v.array(link) })),
    }),
  ),
});

/** The copy of everything that every plan may download (docs/account-copy.md). */
const accountCopy = v.object({
  formato: v.literal('linkoteca-copia-da-conta'),
  pastas: v.array(v.object({ id: v.string(), nome: v.string() })),
  categorias: v.array(v.object({ id: v.string(), pastaId: v.string(), nome: v.string(), descricao: text })),
  links: v.array(v.object({ ...link.entries, categoriaId: v.string() })),
});

/** The text is no JSON that we know. */
export class UnknownJson extends Error {
  override readonly name = 'UnknownJson';
}

/** Reads our own export, or the copy of an account. @throws UnknownJson */
export function readBookmarkJson(content: string): BookmarkFile {
  const value = parse(content);
  const ours = v.safeParse(exported, value);
  if (ours.success) return readExport(ours.output);
  const copy = v.safeParse(accountCopy, value);
  if (copy.success) return readCopy(copy.output);
  throw new UnknownJson('neither an export nor a copy of an account');
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch (cause) {
    throw new UnknownJson('no JSON', { cause });
  }
}

function readExport({ pastas }: v.InferOutput<typeof exported>): BookmarkFile {
  const folders: FileFolder[] = [];
  const links: FileLink[] = [];
  for (const { nome, categorias } of pastas) {
    folders.push({ path: [nome], description: '' });
    for (const category of categorias) {
      const path = [nome, category.nome];
      folders.push({ path, description: category.descricao ?? '' });
      for (const one of category.links) links.push(readLink(one, path));
    }
  }
  return { folders, links };
}

/** Rows of a copy stand oldest first; lists show the newest first. */
function readCopy({ pastas, categorias, links }: v.InferOutput<typeof accountCopy>): BookmarkFile {
  const folders = new Map(pastas.map(({ id, nome }) => [id, nome]));
  const paths = new Map(
    categorias.map(({ id, pastaId, nome }) => [id, [folders.get(pastaId) ?? '', nome]] as const),
  );
  return {
    folders: [
      ...pastas.toReversed().map(({ nome }) => ({ path: [nome], description: '' })),
      ...categorias.toReversed().map(({ id, descricao }) => ({
        path: paths.get(id) ?? [],
        description: descricao ?? '',
      })),
    ],
    links: links.toReversed().map((one) => readLink(one, paths.get(one.categoriaId) ?? [])),
  };
}

function readLink(one: v.InferOutput<typeof link>, path: readonly string[]): FileLink {
  return {
    path,
    url: one.endereco ?? '',
    title: one.titulo ?? '',
    description: one.descricao ?? '',
    addedAt: readFileDate(one.criadoEm ?? undefined),
  };
}
