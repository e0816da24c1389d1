import { fakeSession } from '../../shared/test/create-fake-auth.ts';

type Row = Record<string, unknown>;

/** An answer that stands in for the service's own. */
export interface Refusal {
  readonly status: number;
  readonly body: Row;
}

/**
 * A table service in memory, as far as the organiser asks it: rows by equality, inserts, updates and deletes with their
 * cascade. `refuse` may answer a request first; it sees method and relation.
 */
export function fakeLibrary() {
  const userId = fakeSession().user.id;
  const tables: Record<string, Row[]> = { folders: [], categories: [], links: [], shared_with: [] };
  const table = (name: string) => tables[name] ?? [];
  const control: { refuse: (method: string, relation: string) => Refusal | null } = { refuse: () => null };
  let clock = Date.UTC(2025, 4, 11);

  const tick = () => {
    clock += 60_000;
    return new Date(clock).toISOString();
  };
  const stamp = (row: Row): Row => {
    const now = tick();
    return { created_at: now, updated_at: now, description: null, user_id: userId, ...row };
  };
  const add = (name: string, row: Row) => {
    const stored = stamp({ id: crypto.randomUUID(), ...row });
    table(name).unshift(stored);
    return stored;
  };
  const remove = (name: string, gone: (row: Row) => boolean) => {
    const ids = new Set(
      table(name)
        .filter(gone)
        .map((row) => row['id']),
    );
    tables[name] = table(name).filter((row) => !ids.has(row['id']));
    if (name === 'folders') remove('categories', (row) => ids.has(row['folder_id']));
    if (name === 'categories') remove('links', (row) => ids.has(row['category_id']));
  };
  const counts = () => ({
    folder_count: table('folders').length,
    category_count: table('categories').length,
    link_count: table('links').length,
  });
  const embedCount = (row: Row) => ({
    ...row,
    category_counts: {
      link_count: table('links').filter((link) => link['category_id'] === row['id']).length,
    },
  });

  const answer = (method: string, relation: string, query: URLSearchParams, body: Row): unknown => {
    const matches = (row: Row) =>
      [...query].every(([column, condition]) => {
        if (condition.startsWith('eq.')) return row[column] === condition.slice(3);
        if (condition.startsWith('in.(')) return condition.slice(4, -1).includes(String(row[column]));
        return true;
      });
    if (method === 'POST') return add(relation, body);
    if (method === 'DELETE') return remove(relation, matches);
    if (method === 'PATCH') {
      const found = table(relation).find(matches);
      return found && Object.assign(found, body, { updated_at: tick() });
    }
    if (relation === 'library_counts') return [counts()];
    if (relation === 'categories') return table(relation).filter(matches).map(embedCount);
    return table(relation).filter(matches);
  };

  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    const relation = url.pathname.replace('/rest/v1/', '');
    const body: Row = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
    const refusal = control.refuse(method, relation);
    const [status, content] = refusal
      ? [refusal.status, refusal.body]
      : [200, answer(method, relation, url.searchParams, body) ?? null];
    return new Response(JSON.stringify(content), { status, headers: { 'content-type': 'application/json' } });
  };

  return { fetch, add, table, control };
}
