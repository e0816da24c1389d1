import { emailSchema } from '@linkoteca/domain/fields';
import { SHARING_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { MAX_INVITED } from '@linkoteca/domain/sharing';
import { safeParse } from 'valibot';
import { describeRepeatedEmails, SHARING_DIALOG_MESSAGES } from './sharing-dialog-messages.ts';

/** What became of addresses that were typed or pasted. */
export interface ReadEmails {
  /** As they are stored: lower case, each once. */
  readonly added: readonly string[];
  /** What stays in the field to be mended; empty where nothing can be. */
  readonly rest: string;
  /** What is wrong with it, and what of a list was left out. */
  readonly error: string | null;
}

interface Known {
  readonly listed: readonly string[];
  readonly ownEmail: string;
}

const SEPARATORS = /[\s,;]+/;
/** `Ana Lima <ana@exemplo.com>`, as mail programs copy it. */
const NAMED = /[^,;<>\n]*<([^<>\s]+@[^<>\s]+)>/g;

/** Whether a text holds more than the beginning of one address. */
export function endsAddress(text: string): boolean {
  return /[,;\n]/.test(text);
}

/**
 * Reads addresses separated by commas, semicolons or blanks. Of several, those that are listed already are left out by name;
 * what is no address comes back with its error.
 */
export function readEmails(text: string, { listed, ownEmail }: Known): ReadEmails {
  const words = text
    .replaceAll(NAMED, ' $1 ')
    .split(SEPARATORS)
    .filter((word) => word !== '');
  const taken = new Set(listed);
  const added: string[] = [];
  const rest: string[] = [];
  const errors = new Set<string>();
  const repeated = new Set<string>();
  for (const word of words) {
    const { success, output } = safeParse(emailSchema, word);
    const refused = !success
      ? SHARING_MESSAGES.invalidEmail
      : taken.has(output)
        ? SHARING_MESSAGES.duplicateEmail
        : output === ownEmail.toLowerCase()
          ? SHARING_DIALOG_MESSAGES.ownEmail
          : taken.size >= MAX_INVITED
            ? SHARING_DIALOG_MESSAGES.full
            : null;
    if (success && refused === null) {
      taken.add(output);
      added.push(output);
    } else if (refused !== null) {
      const known = success && refused === SHARING_MESSAGES.duplicateEmail;
      if (known && words.length > 1) repeated.add(output);
      else errors.add(refused);
      if (words.length === 1 || isWorthMending(refused)) rest.push(word);
    }
  }
  if (repeated.size > 0) errors.add(describeRepeatedEmails([...repeated]));
  return { added, rest: rest.join(', '), error: [...errors].join(' · ') || null };
}

function isWorthMending(refused: string): boolean {
  return refused === SHARING_MESSAGES.invalidEmail || refused === SHARING_DIALOG_MESSAGES.full;
}
