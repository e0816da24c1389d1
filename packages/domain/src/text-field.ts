import * as v from 'valibot';
import { cleanLine, cleanText } from './clean-text.ts';
import { countCharacters } from './count-characters.ts';

/** A text field of a form; one that is missing altogether counts as empty, so that it gets its own message. */
export function typedText(message: string) {
  return v.optional(v.string(message), '');
}

/** A required one-line text: cleaned, then between 1 and `max` code points. */
export function requiredLine(max: number, messages: { readonly empty: string; readonly long: string }) {
  return v.pipe(
    typedText(messages.empty),
    v.transform(cleanLine),
    v.nonEmpty(messages.empty),
    v.check((text) => countCharacters(text) <= max, messages.long),
  );
}

/** An optional text: cleaned, at most `max` code points; nothing typed is stored as null. */
export function optionalText(max: number, long: string) {
  return v.pipe(
    v.optional(v.nullable(v.string()), null),
    v.transform((text) => (text === null ? '' : cleanText(text))),
    v.check((text) => countCharacters(text) <= max, long),
    v.transform((text) => (text === '' ? null : text)),
  );
}

/** Whose a row is. */
export const userId = v.pipe(typedText('ID de usuário inválido'), v.uuid('ID de usuário inválido'));
