import * as v from 'valibot';
import { optionalText, requiredLine, typedText, userId } from './fields.ts';
import { FIELD_LIMITS } from './limits.ts';

const name = requiredLine(FIELD_LIMITS.categoryName, {
  empty: 'O nome da categoria é obrigatório',
  long: `O nome da categoria deve ter no máximo ${FIELD_LIMITS.categoryName} caracteres`,
});
const description = optionalText(
  FIELD_LIMITS.categoryDescription,
  `A descrição deve ter no máximo ${FIELD_LIMITS.categoryDescription} caracteres`,
);

/** What the category dialog asks for; its folder is chosen before it opens. */
export const categoryFormSchema = v.object({
  name,
  description,
  folder_id: v.pipe(
    typedText('Selecione uma pasta para a categoria'),
    v.nonEmpty('Selecione uma pasta para a categoria'),
    v.uuid('ID de pasta inválido'),
  ),
});

/** A category to be created: private until it is shared. */
export const createCategorySchema = v.object({
  ...categoryFormSchema.entries,
  user_id: userId,
  is_public: v.optional(v.boolean(), false),
  name_users: v.nullable(v.string()),
});
