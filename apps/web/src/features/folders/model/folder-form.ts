import { pickEmoji } from '@linkoteca/domain/emoji';
import { FOLDER_COLORS } from '@linkoteca/domain/folder-look';
import { folderFormSchema } from '@linkoteca/domain/library-schemas';
import * as v from 'valibot';

/** The colour that follows from the folder's id, as the form holds it. */
export const AUTOMATIC = '';

/** What the folder dialog holds: besides what is asked for, what may be chosen. An empty text is no choice. */
export const folderDialogSchema = v.object({
  ...folderFormSchema.entries,
  // A draft may be of another version of the palette.
  color: v.fallback(v.picklist([AUTOMATIC, ...FOLDER_COLORS]), AUTOMATIC),
  emoji: v.pipe(
    v.string(),
    v.transform((typed) => pickEmoji(typed) ?? ''),
  ),
});

/** Emoji that suit many folders, and what they are for. */
export const SUGGESTED_EMOJI = [
  ['📚', 'Livros'],
  ['🍳', 'Cozinha'],
  ['✈️', 'Viagem'],
  ['💼', 'Trabalho'],
  ['🎓', 'Estudos'],
  ['🎬', 'Filmes'],
] as const;

/** What is said of a folder's look, besides what the specification says of folders. */
export const FOLDER_LOOK_MESSAGES = {
  color: 'Cor',
  automatic: 'Automática',
  emoji: 'Emoji',
  notAnEmoji: 'Aqui cabe um emoji, como 📚',
  saveFailed: 'Não foi possível salvar a cor e o emoji',
  folderIsThere: 'A pasta foi criada. Edite a pasta para escolher de novo.',
  tryAgain: 'Sua escolha continua aqui; tente de novo.',
} as const;
