import * as v from 'valibot';
import { cleanLine } from './clean-text.ts';
import { FIELD_LIMITS } from './limits.ts';
import { linkFormSchema } from './link-schema.ts';
import { shortenText } from './shorten-text.ts';

/** One entry of a pasted list. */
export type PastedLink =
  | {
      readonly kind: 'link';
      /** Complete, as it would be stored. */
      readonly url: string;
      /** At most 100 characters; null where the text has none but the address itself. */
      readonly title: string | null;
    }
  | {
      readonly kind: 'unreadable';
      readonly text: string;
      /** Why it cannot be saved, for the person to read. */
      readonly reason: string;
    };

/** Checks an address and its title as the form of one link would. */
export function readPastedLink(address: string, title: string): PastedLink {
  const line = cleanLine(title).replace(/\s+/g, ' ');
  const checked = v.safeParse(linkFormSchema.entries.url, address);
  if (!checked.success) {
    const text = [line, address].filter(Boolean).join(' · ');
    return { kind: 'unreadable', text, reason: checked.issues[0].message };
  }
  const url = checked.output;
  const named = line !== '' && line !== address && line !== url;
  return { kind: 'link', url, title: named ? shortenText(line, FIELD_LIMITS.linkTitle) : null };
}
