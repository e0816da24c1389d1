import { invalidParameter } from './stripe-failure.ts';

const CLAUSE =
  /^(?:(email|name|status|customer)|metadata\[(?:'([^']+)'|"([^"]+)")\])\s*:\s*(?:'([^']*)'|"([^"]*)")$/;

/**
 * Reads the part of Stripe's search language that the emulator answers: `email:'a@b'`, `metadata['user_id']:'…'`, several
 * joined by AND.
 * @returns what the objects have in common.
 */
export function parseSearch(query: string): Record<string, unknown> {
  const match: Record<string, unknown> = {};
  const metadata: Record<string, string> = {};
  for (const clause of query.split(/\s+AND\s+/i)) {
    const [found, field, single, double, plain, quoted] = CLAUSE.exec(clause.trim()) ?? [];
    if (found === undefined)
      throw invalidParameter(
        'query',
        `We were unable to parse your search query: ${clause}`,
        'search_query_invalid',
      );
    const value = plain ?? quoted ?? '';
    if (field === undefined) metadata[single ?? double ?? ''] = value;
    else match[field] = value;
  }
  return Object.keys(metadata).length === 0 ? match : { ...match, metadata };
}
