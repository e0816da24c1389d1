import { birthRank } from '@linkoteca/domain/birth-rank';
import { fakeSession } from '../../shared/test/create-fake-auth.ts';
import { fakeFolderOffers } from './fake-folder-offers.ts';
import { fakeGroups } from './fake-groups.ts';
import { fakeTags } from './fake-tags.ts';

type Row = Record<string, unknown>;

/** An answer that stands in for the service's own. */
export interface Refusal {
  readonly status: number;
  readonly body: Row;
}

/** Functions that answer rows: none of what a test does not stand in for. */
const LISTS = /^(link_checks|mail_address|list_\w+)$/;

export type FakeLibrary = ReturnType<typeof fakeLibrary>;

/**
 * A table service in memory, as far as the organiser asks it: rows by equality, inserts, updates and deletes with their
 * cascade. `refuse` may answer a request first; it sees method and relation. A write waits for `beforeWrite`.
 */
export function fakeLibrary() {
  const userId = fakeSession().user.id;
  const tables: Record<string, Row[]> = {};
  const table = (name: string) => tables[name] ?? [];
  /** What pages say of themselves, by address: title and description. */
  const pages: Record<string, Row> = {};
  const control = {
    refuse: (_method: string, _relation: string): Refusal | null => null,
    beforeWrite: async (_relation: string): Promise<void> => undefined,
    beforeRead: async (_relation: string): Promise<void> => undefined,
    /** Whether a read gets as many rows as it asks for, as from the service, or all at once. */
    inPages: false,
  };
  const usual = { ...control };
  let clock = 0;

  const tick = () => {
    clock += 60_000;
    return new Date(clock).toISOString();
  };
  const stamp = (row: Row): Row => {
    const now = tick();
    return { created_at: now, updated_at: now, description: null, user_id: userId, ...row };
  };
  const add = (name: string, row: Row) => {
    const byDefault = name === 'folder_members' ? { group_id: null } : {};
    const stored = stamp({ id: crypto.randomUUID(), ...byDefault, ...row });
    table(name).unshift(stored);
    return stored;
  };
  /** What limits the public page of a category. */
  const limitsOf = (id: unknown): Row => {
    const known = table('page_limits').find((row) => row['id'] === id);
    if (known) return known;
    const limits = { id, ends_at: null, has_password: false };
    table('page_limits').push(limits);
    return limits;
  };
  let chosenShare: unknown = null;
  const leftShares: Row[] = [];
  /** The key of each feed, under what it is of. */
  const openFeeds = new Map<string, string>();
  const trash: { readonly name: string; readonly row: Row }[] = [];
  /** The rows of each deletion, oldest first; what is no longer in the trash is gone from it as well. */
  const deletions: (readonly Row[])[] = [];
  /** Empty again, and willing. */
  const reset = () => {
    Object.assign(tables, {
      folders: [],
      categories: [],
      links: [],
      shared_with: [],
      folder_members: [],
      groups: [],
      folder_groups: [],
      received_folders: [],
      folder_news: [],
      category_people: [],
      page_limits: [],
      available_folders: [],
      folder_offers: [],
      favorites: [],
      saved_searches: [],
      folder_looks: [],
      manual_order: [],
      inboxes: [],
      tags: [],
      link_tags: [],
      access_requests: [],
      profiles: [],
      subscribers: [],
    });
    for (const url of Object.keys(pages)) delete pages[url];
    Object.assign(control, usual);
    trash.length = 0;
    deletions.length = 0;
    chosenShare = null;
    leftShares.length = 0;
    openFeeds.clear();
    clock = Date.UTC(2025, 4, 11);
  };
  reset();
  const remove = (name: string, gone: (row: Row) => boolean) => {
    const doomed = table(name).filter(gone);
    const ids = new Set(doomed.map((row) => row['id']));
    trash.push(...doomed.map((row) => ({ name, row })));
    tables[name] = table(name).filter((row) => !ids.has(row['id']));
    if (name === 'folders') remove('categories', (row) => ids.has(row['folder_id']));
    if (name === 'categories') remove('links', (row) => ids.has(row['category_id']));
    if (name !== 'favorites')
      remove('favorites', (row) => ids.has(row['link_id']) || ids.has(row['category_id']));
  };
  /** Brings back what was removed, with what went with it; returns how many rows of each table. */
  const restore = (name: string, wanted: (row: Row) => boolean): Record<string, number> => {
    const rows = trash.filter((entry) => entry.name === name && wanted(entry.row)).map(({ row }) => row);
    const ids = new Set(rows.map((row) => row['id']));
    tables[name] = [...table(name), ...rows].toSorted((a, b) =>
      String(b['created_at']).localeCompare(String(a['created_at'])),
    );
    const back = new Set(rows);
    trash.splice(0, trash.length, ...trash.filter((entry) => !back.has(entry.row)));
    const inside =
      name === 'folders'
        ? restore('categories', (row) => ids.has(row['folder_id']))
        : name === 'categories'
          ? restore('links', (row) => ids.has(row['category_id']))
          : {};
    return { ...inside, [name]: rows.length };
  };
  /** What a person deletes in one act. */
  const removeTogether = (name: string, gone: (row: Row) => boolean): void => {
    const before = trash.length;
    remove(name, gone);
    deletions.push(trash.slice(before).map(({ row }) => row));
  };
  const inTrash = (id: number) => trash.filter(({ row }) => deletions[id - 1]?.includes(row));
  const listBin = () =>
    deletions
      .map((_rows, at) => {
        const rows = inTrash(at + 1);
        const count = (name: string) => rows.filter((entry) => entry.name === name).length;
        const [first] = rows;
        const home = table('categories').find(({ id }) => id === first?.row['category_id']);
        const folder = table('folders').find(({ id }) => id === (home ?? first?.row)?.['folder_id']);
        return {
          id: at + 1,
          item_type: { folders: 'folder', categories: 'category' }[first?.name ?? ''] ?? 'link',
          name: first?.row['name'] ?? first?.row['title'],
          folder_count: count('folders'),
          category_count: count('categories'),
          link_count: count('links'),
          folder_name: folder?.['name'] ?? null,
          category_name: home?.['name'] ?? null,
          deleted_at: new Date(Date.now() - 3.5 * 86_400_000).toISOString(),
          purge_after: new Date(Date.now() + 26.5 * 86_400_000).toISOString(),
        };
      })
      .filter((entry) => entry.folder_count + entry.category_count + entry.link_count > 0)
      .toReversed();
  const callBin = (name: string, args: Row): unknown => {
    if (name === 'list_bin') return listBin();
    const id = Number(args['deletion_id']);
    const rows = inTrash(id).map(({ row }) => row);
    if (name === 'restore_from_bin') {
      const [first] = inTrash(id);
      if (first && args['place_id']) first.row['category_id'] = args['place_id'];
      const links = first?.name === 'links' ? first.row['category_id'] : null;
      return { ...restore(first?.name ?? '', (row) => rows.includes(row)), category_id: links };
    }
    const kept = name === 'empty_bin' ? [] : trash.filter(({ row }) => !rows.includes(row));
    trash.splice(0, trash.length, ...kept);
    return name === 'empty_bin' ? 1 : rows.length > 0;
  };
  const findByUrl = ({ urls, in_shared_folders }: Row): Row[] => {
    const named = (name: string, id: unknown) => table(name).find((row) => row['id'] === id) ?? {};
    const found = table('links').filter((link) => Array.isArray(urls) && urls.includes(link['url']));
    const places = found.map(({ url, id, title, category_id }) => {
      const category = named('categories', category_id);
      const shared = table('received_folders').find(({ folder_id }) => folder_id === category['folder_id']);
      const folder = shared ?? named('folders', category['folder_id']);
      return {
        url,
        link_id: id,
        title,
        category_id,
        category_name: category['name'],
        folder_name: folder['name'],
        is_own: shared === undefined,
        owner_name: shared?.['owner_name'] ?? null,
      };
    });
    return places.filter(({ is_own }) => is_own || in_shared_folders === true);
  };
  /** The list and the mode of a category, as the database keeps them. */
  const saveSharing = ({ category_id, is_public, emails }: Row) => {
    const wanted = is_public === true || !Array.isArray(emails) ? [] : emails.map(String);
    const before = table('shared_with').filter((row) => row['category_id'] === category_id);
    const known = new Set(before.map(({ email }) => email));
    Object.assign(table('categories').find(({ id }) => id === category_id) ?? {}, { is_public });
    tables['shared_with'] = [
      ...table('shared_with').filter((row) => row['category_id'] !== category_id),
      ...wanted.map((email) => ({ category_id, email, created_at: tick() })),
    ];
    return { is_public, emails: wanted, added: wanted.filter((email) => !known.has(email)) };
  };
  /** What the person does with what others share with them. */
  const callShare = (name: string, categoryId: unknown): unknown => {
    if (name === 'opened_share') return chosenShare;
    if (name === 'open_share') {
      chosenShare = categoryId;
      return null;
    }
    if (name === 'return_to_share') {
      table('shared_with').push(...leftShares.splice(0));
      return true;
    }
    leftShares.push(...table('shared_with').filter((row) => row['category_id'] === categoryId));
    tables['shared_with'] = table('shared_with').filter((row) => row['category_id'] !== categoryId);
    return null;
  };
  const nameOfCategory = (id: unknown) => table('categories').find((row) => row['id'] === id)?.['name'];
  const rankOf = (link: Row) =>
    table('manual_order').find((order) => order['link_id'] === link['id'])?.['rank'] ?? null;
  const listArranged = ({ category_id, max_results, below }: Row) => {
    const standing = (link: Row) =>
      String(rankOf(link) ?? birthRank({ id: String(link['id']), created_at: String(link['created_at']) }));
    return table('links')
      .filter((link) => link['category_id'] === category_id)
      .filter((link) => below === undefined || standing(link) < String(below))
      .toSorted((a, b) => (standing(a) < standing(b) ? 1 : -1))
      .slice(0, Number(max_results ?? 50))
      .map((link) => ({ ...link, rank: rankOf(link) }));
  };
  const placeLinks = ({ category_id, link_ids, ranks, manual = true }: Row) => {
    const ids = Array.isArray(link_ids) ? link_ids : [];
    const places = ids.map((id, at) => ({ link_id: id, rank: Array.isArray(ranks) ? ranks[at] : '' }));
    tables['manual_order'] = [
      ...table('manual_order').filter(
        (row) => row['category_id'] !== category_id && !ids.includes(row['link_id']),
      ),
      ...places.filter(({ rank }) => rank !== ''),
      ...(manual ? [{ category_id }] : []),
    ];
    return places.length;
  };
  const set = (name: string, rows: Row[]) => void Object.assign(tables, { [name]: rows });
  const grouping = fakeGroups({ table, add, set });
  const offers = fakeFolderOffers({ table, add, set });
  const tagging = fakeTags({
    table,
    add,
    set,
    tick,
    userId,
  });
  const openInbox = (): unknown => {
    const made = table('inboxes')[0];
    if (made) return made['category_id'];
    const folder =
      table('folders').find((row) => row['name'] === 'Minha biblioteca') ??
      add('folders', { name: 'Minha biblioteca' });
    const category = add('categories', { name: 'Entrada', folder_id: folder['id'] });
    add('inboxes', { category_id: category['id'] });
    return category['id'];
  };
  const captureLink = ({ id, url, title, description = null, category_id }: Row): unknown => {
    const saved = table('links').find((link) => link['id'] === id);
    if (saved) return saved['category_id'];
    if (trash.some(({ row }) => row['id'] === id)) return null;
    return add('links', { id, url, title, description, category_id: category_id ?? openInbox() })[
      'category_id'
    ];
  };
  const listRequests = () => table('access_requests').filter((row) => row['refused'] !== true);
  const answerRequest = ({ request_id, allow }: Row): unknown => {
    const request = table('access_requests').find(({ id }) => id === request_id) ?? {};
    request['refused'] = allow === false;
    if (allow !== true) return null;
    tables['access_requests'] = table('access_requests').filter((row) => row !== request);
    return add('shared_with', { category_id: request['category_id'], email: request['email'] });
  };
  const search = (term: string): Row[] =>
    table('links')
      .filter(({ title }) => String(title).includes(term))
      .map((row) => ({ ...row, category_name: nameOfCategory(row['category_id']) }));
  const call = (name: string, args: Row): unknown => {
    const isOneOf = (ids: unknown) => {
      const wanted = new Set(Array.isArray(ids) ? ids : []);
      return (row: Row) => wanted.has(row['id']);
    };
    if (name === 'list_access_requests') return listRequests();
    if (name === 'answer_access_request') return answerRequest(args);
    if (name === 'page_limits')
      return args['category_id'] === undefined
        ? (tables['page_limits'] ?? [])
        : [limitsOf(args['category_id'])];
    if (name === 'set_page_end')
      return void Object.assign(limitsOf(args['category_id']), { ends_at: args['ends_at'] });
    if (name === 'set_page_password')
      return void Object.assign(limitsOf(args['category_id']), {
        has_password: args['password'] !== null,
        password: args['password'],
      });
    if (name === 'received_folders' || name === 'folder_news') return tables[name];
    if (name === 'category_people') return tables[name];
    if (name === 'see_category') {
      tables['folder_news'] = (tables['folder_news'] ?? []).filter(
        (row) => row['category_id'] !== args['category_id'],
      );
      return null;
    }
    if (name === 'open_inbox') return openInbox();
    if (name === 'feed_key') return openFeeds.get(JSON.stringify(args)) ?? null;
    if (name === 'category_history') return [];
    if (name === 'open_feed') {
      const { renew: _, ...subject } = args;
      const key = (subject['category_id'] === undefined ? 's' : 'c').repeat(24);
      openFeeds.set(JSON.stringify(subject), key);
      return key;
    }
    if (name === 'capture_link') return captureLink(args);
    if (name === 'delete_links') return removeTogether('links', isOneOf(args['link_ids']));
    if (name.endsWith('_bin')) return callBin(name, args);
    if (name === 'move_links') {
      const moved = (tables['links'] ?? []).filter(isOneOf(args['link_ids']));
      for (const row of moved)
        Object.assign(row, { category_id: args['target_category_id'], updated_at: tick() });
      return moved.length;
    }
    if (offers.knows(name)) return offers.call(name, args);
    if (grouping.knows(name)) return grouping.call(name, args);
    if (tagging.knows(name)) return tagging.call(name, args);
    if (name === 'arranged_links') return listArranged(args);
    if (name === 'place_links') return placeLinks(args);
    if (name === 'count_links_by') return search(String(args['term'])).length;
    if (name === 'count_searches')
      return (Array.isArray(args['searches']) ? args['searches'] : []).map((asked, at) => ({
        place: at + 1,
        total: search(String(asked['term'])).length,
      }));
    if (name === 'search_links_by')
      return search(String(args['term'])).filter(({ url }) =>
        String(url).includes(String(args['site'] ?? '')),
      );
    if (name === 'search_links') return search(String(args['term']));
    if (name === 'find_links_by_url') return findByUrl(args);
    if (name === 'save_sharing') return saveSharing(args);
    if (name.endsWith('_share')) return callShare(name, args['category_id']);
    if (name !== 'undo_deletion') return LISTS.test(name) ? [] : null;
    const table =
      { folder: 'folders', category: 'categories', link: 'links' }[String(args['item_type'])] ?? '';
    return { folders: 0, categories: 0, links: 0, ...restore(table, isOneOf(args['item_ids'])) };
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
    shared_with: table('shared_with').filter((invited) => invited['category_id'] === row['id']),
    manual_order: table('manual_order').find((order) => order['category_id'] === row['id']) ?? null,
    is_inbox: table('inboxes').some((inbox) => inbox['category_id'] === row['id']),
  });

  const embedLinks = (query: URLSearchParams) => (row: Row) => ({
    ...row,
    links: table('links')
      .filter((link) => link['category_id'] === row['id'])
      .slice(0, Number(query.get('links.limit'))),
  });

  const answer = (method: string, relation: string, query: URLSearchParams, body: Row): unknown => {
    const matches = (row: Row) =>
      [...query].every(([column, condition]) => {
        if (condition.startsWith('eq.')) return row[column] === condition.slice(3);
        // Where the next page starts. No two rows are of one moment.
        if (condition.startsWith('lte.')) return String(row[column]) < condition.slice(4);
        if (condition.startsWith('in.(')) return condition.slice(4, -1).includes(String(row[column]));
        return true;
      });
    if (relation.startsWith('rpc/')) return call(relation.slice('rpc/'.length), body);
    if (relation === 'functions/v1/link-preview')
      return { url: body['url'], title: null, description: null, ...pages[String(body['url'])] };
    if (method === 'POST' && relation === 'folder_looks') {
      tables[relation] = table(relation).filter((row) => row['folder_id'] !== body['folder_id']);
      return add(relation, body);
    }
    if (method === 'POST')
      return Array.isArray(body) ? body.map((row) => add(relation, row)) : add(relation, body);
    if (method === 'DELETE') return removeTogether(relation, matches);
    if (method === 'PATCH') {
      const found = table(relation).find(matches);
      return found && Object.assign(found, body, { updated_at: tick() });
    }
    if (relation === 'library_counts') return [counts()];
    if (relation === 'category_counts')
      return table('categories').map((row) => ({
        category_id: row['id'],
        ...embedCount(row).category_counts,
      }));
    if (relation === 'categories') {
      const withLinks = query.get('select')?.includes('links(') ? embedLinks(query) : (row: Row) => row;
      return table(relation).filter(matches).map(embedCount).map(withLinks);
    }
    if (relation === 'folders')
      return table(relation)
        .filter(matches)
        .map((row) => ({
          ...row,
          folder_looks: table('folder_looks').find((look) => look['folder_id'] === row['id']) ?? null,
        }));
    if (relation === 'favorites')
      return table(relation).map((row) => ({
        ...row,
        links: table('links').find(({ id }) => id === row['link_id']) ?? null,
      }));
    const inPlaces = query.get('select')?.includes('categories(name)') === true;
    const found = table(relation)
      .filter(matches)
      .map(relation === 'links' ? tagging.embed : (row) => row)
      .map((row) => (inPlaces ? { ...row, categories: { name: nameOfCategory(row['category_id']) } } : row));
    return control.inPages ? found.slice(0, Number(query.get('limit') ?? found.length)) : found;
  };

  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const method = init?.method ?? 'GET';
    const relation = url.pathname.replace(/^\/(rest\/v1\/)?/, '');
    const body: Row = typeof init?.body === 'string' ? JSON.parse(init.body) : {};
    await (method === 'GET' ? control.beforeRead(relation) : control.beforeWrite(relation));
    const refusal = control.refuse(method, relation);
    const [status, content] = refusal
      ? [refusal.status, refusal.body]
      : [200, answer(method, relation, url.searchParams, body) ?? null];
    return new Response(JSON.stringify(content), { status, headers: { 'content-type': 'application/json' } });
  };

  return { fetch, add, table, tables, pages, control, reset };
}
