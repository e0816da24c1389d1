import { linkFormSchema } from '@linkoteca/domain/library-schemas';
import { FIELD_LIMITS } from '@linkoteca/domain/limits';
import { shortenText } from '@linkoteca/domain/shorten-text';
import { normalizeUrl, readHost } from '@linkoteca/domain/urls';
import * as v from 'valibot';

/** The rules of the form in which people save a link. */
const newLinkSchema = v.pick(linkFormSchema, ['url', 'title', 'description']);
/** Those of the form in which they change one, each field by itself. */
const changeSchema = v.partial(newLinkSchema);

export type NewLink = v.InferOutput<typeof newLinkSchema>;
export type LinkChange = v.InferOutput<typeof changeSchema>;

/** What of a form cannot be kept, in the words of the form. */
export type WrongField = { readonly field: string; readonly message: string };

type ReadFields<T> =
  | { readonly ok: true; readonly fields: T }
  | { readonly ok: false; readonly wrong: WrongField };

/** A link as it can be saved; without a title it is called by its host. Pure. */
export function readNewLink(wish: {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | null | undefined;
}): ReadFields<NewLink> {
  const address = normalizeUrl(wish.url);
  const title = wish.title?.trim() || shortenText(readHost(address ?? ''), FIELD_LIMITS.linkTitle);
  return parse(newLinkSchema, { url: wish.url, title, description: wish.description ?? null });
}

/** What of a link is to be changed; what is left out or undefined stays. Pure. */
export function readLinkChange(wish: Readonly<Record<string, unknown>>): ReadFields<LinkChange> {
  const given = Object.fromEntries(
    Object.entries(wish).filter(
      ([name, value]) => value !== undefined && ['url', 'title', 'description'].includes(name),
    ),
  );
  return parse(changeSchema, given);
}

function parse<T>(schema: v.GenericSchema<unknown, T>, wish: object): ReadFields<T> {
  const parsed = v.safeParse(schema, wish);
  if (parsed.success) return { ok: true, fields: parsed.output };
  const [issue] = parsed.issues;
  return { ok: false, wrong: { field: v.getDotPath(issue) ?? '', message: issue.message } };
}
