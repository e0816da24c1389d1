import { shortenText } from '@linkoteca/domain/shorten-text';
import { showAddress, showText } from '../saved-text.ts';

/** Of a description in a list; get_link has the whole. Characters. */
const SHORT_DESCRIPTION = 300;

type LinkRow = {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly description: string | null;
};

/** A link as lists show it. */
export function presentLink(row: LinkRow) {
  const description =
    row.description === null ? null : shortenText(showText(row.description), SHORT_DESCRIPTION);
  return { id: row.id, title: showText(row.title), url: showAddress(row.url), description };
}
