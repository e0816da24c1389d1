import { type Link, parseRow } from '../lib/rows.ts';

/** A link as it is stored, whatever its columns are; a test names those it is about. */
export function sampleLink(columns: Partial<Link> = {}): Link {
  const link = parseRow('links', {
    id: '55555555-5555-4555-8555-555555555555',
    url: 'https://exemplo.com',
    title: 'Velho',
    category_id: 'c',
    user_id: 'u',
    created_at: '2025-05-11T12:00:00Z',
    updated_at: '2025-05-11T12:00:00Z',
    ...columns,
  });
  if (link === null) throw new Error('no link can look like this');
  return link;
}
