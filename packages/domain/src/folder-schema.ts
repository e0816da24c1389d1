import * as v from 'valibot';
import { emailSchema } from './email-schema.ts';
import { FIELD_LIMITS } from './limits.ts';
import { requiredLine, userId } from './text-field.ts';

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
