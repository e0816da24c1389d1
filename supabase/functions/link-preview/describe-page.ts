import { cleanLine } from '../../../packages/domain/src/clean-text.ts';
import { FIELD_LIMITS } from '../../../packages/domain/src/limits.ts';
import { shortenText } from '../../../packages/domain/src/shorten-text.ts';
import { createHeadParser } from './create-head-parser.ts';

export type PageDescription = { readonly title: string | null; readonly description: string | null };

/** Title and description of a page, as they fit into a link: one line each, within the limits of its fields. */
export function describePage(html: string): PageDescription {
  const parser = createHeadParser();
  parser.write(html);
  parser.end();
  const { facts } = parser;
  return {
    title: toField(facts.ogTitle ?? facts.twitterTitle ?? facts.title, FIELD_LIMITS.linkTitle),
    description: toField(
      facts.ogDescription ?? facts.twitterDescription ?? facts.description,
      FIELD_LIMITS.linkDescription,
    ),
  };
}

function toField(text: string | undefined, limit: number): string | null {
  const line = cleanLine(text ?? '').replace(/\s+/g, ' ');
  return shortenText(line, limit).trim() || null;
}
