import { emailSchema } from '@linkoteca/domain/fields';
import { SHARING_MESSAGES } from '@linkoteca/domain/messages/sharing-messages';
import { MAX_INVITED } from '@linkoteca/domain/sharing';
import { safeParse } from 'valibot';
import {
  describeFullEmails,
  describeRepeatedEmails,
  SHARING_DIALOG_MESSAGES,
} from './sharing-dialog-messages.ts';

/** Something that is not invited, and why. */
export interface WrongEmail {
  /** As it was typed. */
  readonly text: string;
  readonly reason: string;
}

/** What became of addresses that were typed or pasted. */
export interface ReadEmails {
  /** As they are stored: lower case, each once. */
  readonly added: readonly string[];
  /** What has to be mended or taken out. */
  readonly wrong: readonly WrongEmail[];
  /** What stays in the field: a single address that is on the list already. */
  readonly rest: string;
  /** What was not added because it is on the list already. */
  readonly repeated: string | null;
}

interface Known {
  readonly listed: readonly string[];
  readonly ownEmail: string;
  /** What is said of one's own address, where it is no category that is shared. */
  readonly ownEmailWords?: string | undefined;
  readonly max?: number | undefined;
}

const SEPARATORS = /[\s,;]+/;
/** `Ana Lima <ana@exemplo.com>`, as mail programs copy it. */
const NAMED = /[^,;<>\n]*<([^<>\s]+@[^<>\s]+)>/g;

/** Whether a text holds more than the beginning of one address: a separator, or a blank after what is an address. */
export function endsAddress(text: string): boolean {
  return /[,;\n]/.test(text) || (/\s$/.test(text) && isAddress(text));
}

/** Whether a text is one address and nothing else. */
export function isAddress(text: string): boolean {
  return safeParse(emailSchema, text).success;
}

/**
 * Reads addresses separated by commas, semicolons or blanks. Of several, those that are listed already are left out by name;
 * what is no address comes back with what is wrong with it.
 */
export function readEmails(text: string, { listed, ownEmail, ownEmailWords, max }: Known): ReadEmails {
  const words = text
    .replaceAll(NAMED, ' $1 ')
    .split(SEPARATORS)
    .filter((word) => word !== '');
  const taken = new Set(listed);
  const added: string[] = [];
  const wrong = new Map<string, string>();
  const repeated = new Set<string>();
  for (const word of words) {
    const { success, output } = safeParse(emailSchema, word);
    if (!success) wrong.set(word, SHARING_MESSAGES.invalidEmail);
    else if (taken.has(output)) repeated.add(output);
    else if (output === ownEmail.toLowerCase())
      wrong.set(word, ownEmailWords ?? SHARING_DIALOG_MESSAGES.ownEmail);
    else if (taken.size >= (max ?? MAX_INVITED))
      wrong.set(word, max === undefined ? SHARING_DIALOG_MESSAGES.full : describeFullEmails(max));
    else {
      taken.add(output);
      added.push(output);
    }
  }
  const alone = words.length === 1 && repeated.size === 1;
  return {
    added,
    wrong: [...wrong].map(([word, reason]) => ({ text: word, reason })),
    rest: alone ? words.join('') : '',
    repeated: alone
      ? SHARING_MESSAGES.duplicateEmail
      : repeated.size > 0
        ? describeRepeatedEmails([...repeated])
        : null,
  };
}
