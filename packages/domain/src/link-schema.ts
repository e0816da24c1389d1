import * as v from 'valibot';
import { countCharacters } from './count-characters.ts';
import { FIELD_LIMITS } from './limits.ts';
import { normalizeUrl } from './normalize-url.ts';
import { optionalText, requiredLine, typedText, userId } from './text-field.ts';

const title = requiredLine(FIELD_LIMITS.linkTitle, {
  empty: 'O título é obrigatório',
  long: `O título deve ter no máximo ${FIELD_LIMITS.linkTitle} caracteres`,
});

const url = v.pipe(
  typedText('URL inválida'),
  v.transform((text) => normalizeUrl(text) ?? ''),
  v.nonEmpty('URL inválida'),
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
