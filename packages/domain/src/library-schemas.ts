import * as v from 'valibot';
import { emailSchema, optionalText, requiredLine, typedText, userId } from './fields.ts';
import { FIELD_LIMITS } from './limits.ts';
import { LINK_MESSAGES } from './messages/link-messages.ts';
import { countCharacters } from './text.ts';
import { normalizeUrl } from './urls.ts';

const name = requiredLine(FIELD_LIMITS.folderName, {
  empty: 'O nome da pasta é obrigatório',
  long: `O nome da pasta deve ter no máximo ${FIELD_LIMITS.folderName} caracteres`,
});

/** What the folder dialog asks for. */
export const folderFormSchema = v.object({ name });

/** A folder to be created. */
export const createFolderSchema = v.object({
  name,
  user_id: userId,
  is_public: v.optional(v.boolean(), false),
  shared_with: v.exactOptional(v.array(emailSchema)),
});

/** A change of a folder: everything may be left out but its name. */
export const updateFolderSchema = v.object({
  name,
  user_id: v.exactOptional(userId),
  is_public: v.exactOptional(v.boolean()),
  shared_with: v.exactOptional(v.array(emailSchema)),
});

const title = requiredLine(FIELD_LIMITS.linkTitle, {
  empty: 'O título é obrigatório',
  long: `O título deve ter no máximo ${FIELD_LIMITS.linkTitle} caracteres`,
});

const url = v.pipe(
  typedText(LINK_MESSAGES.invalidUrl),
  v.transform((text) => normalizeUrl(text) ?? ''),
  v.nonEmpty(LINK_MESSAGES.invalidUrl),
  v.check(
    (text) => countCharacters(text) <= FIELD_LIMITS.linkUrl,
    `A URL deve ter no máximo ${FIELD_LIMITS.linkUrl} caracteres`,
  ),
);

const description = optionalText(
  FIELD_LIMITS.linkDescription,
  `A descrição deve ter no máximo ${FIELD_LIMITS.linkDescription} caracteres`,
);

/** What the link dialog asks for. A change of a link asks for the same, so title and url are always required. */
export const linkFormSchema = v.object({
  url,
  title,
  category_id: v.pipe(
    typedText('Selecione uma categoria para o link'),
    v.nonEmpty('Selecione uma categoria para o link'),
    v.uuid('ID de categoria inválido'),
  ),
  description,
});

/** A link to be created. */
export const createLinkSchema = v.object({
  ...linkFormSchema.entries,
  user_id: userId,
});

export type LinkForm = v.InferOutput<typeof linkFormSchema>;
/** What every new link has; the rest may be absent. */
export type LinkInput = Pick<LinkForm, 'url' | 'title' | 'category_id'> & Partial<LinkForm>;
