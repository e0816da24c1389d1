import { tagKey } from '@linkoteca/domain/tags';

type Row = Record<string, unknown>;

interface TagTables {
  readonly table: (name: string) => Row[];
  readonly add: (name: string, row: Row) => Row;
  readonly set: (name: string, rows: Row[]) => void;
  readonly tick: () => string;
  /** Whose library it is. */
  readonly userId: string;
}

/** Tags of the table service in memory: as far as the app asks for them, with an undo of each change. */
export function fakeTags({ table, add, set, tick, userId }: TagTables) {
  /** Tables as they were before each change. */
  const changes: { readonly tags: Row[]; readonly links: Row[] }[] = [];
  const begin = () =>
    changes.push({ tags: table('tags').map((row) => ({ ...row })), links: [...table('link_tags')] });
  const find = (name: unknown): Row | undefined =>
    table('tags').find((tag) => tagKey(String(tag['name'])) === tagKey(String(name)));
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const recount = () => {
    for (const tag of table('tags'))
      tag['link_count'] = table('link_tags').filter((row) => row['tag_id'] === tag['id']).length;
  };
  const drop = (gone: (row: Row) => boolean) =>
    set(
      'link_tags',
      table('link_tags').filter((row) => !gone(row)),
    );
  const tagLinks = ({ link_ids, added, removed }: Row) => {
    begin();
    const given = list(added).map(
      (name): Row => find(name) ?? add('tags', { name, color: null, link_count: 0 }),
    );
    const taken = list(removed).flatMap((name): Row | readonly Row[] => find(name) ?? []);
    for (const link_id of list(link_ids)) {
      for (const { id } of taken) drop((row) => row['link_id'] === link_id && row['tag_id'] === id);
      for (const { id } of given)
        if (!table('link_tags').some((row) => row['link_id'] === link_id && row['tag_id'] === id))
          table('link_tags').push({ link_id, tag_id: id });
    }
    recount();
    for (const tag of [...given, ...taken]) tag['tagged_at'] = tick();
    const isOwn = table('links').some(
      (row) => list(link_ids).includes(row['id']) && row['user_id'] === userId,
    );
    // Of somebody else's tags no more is told than their names.
    const told = [...given, ...taken].map((tag) => (isOwn ? tag : { name: tag['name'] }));
    return { change: changes.length, tags: told };
  };
  const merge = ({ source_ids, target_id }: Row) => {
    begin();
    const sources = list(source_ids);
    const links = table('link_tags').flatMap((row) =>
      sources.includes(row['tag_id']) ? [row['link_id']] : [],
    );
    drop((row) => sources.includes(row['tag_id']));
    for (const link_id of links)
      if (!table('link_tags').some((row) => row['link_id'] === link_id && row['tag_id'] === target_id))
        table('link_tags').push({ link_id, tag_id: target_id });
    set(
      'tags',
      table('tags').filter(({ id }) => !sources.includes(id)),
    );
    recount();
    return { change: changes.length, done: true };
  };
  const remove = ({ tag_ids }: Row) => {
    begin();
    const ids = list(tag_ids);
    drop((row) => ids.includes(row['tag_id']));
    set(
      'tags',
      table('tags').filter(({ id }) => !ids.includes(id)),
    );
    return changes.length;
  };
  const undo = ({ change_id }: Row) => {
    const before = changes[Number(change_id) - 1];
    if (before) {
      set('tags', before.tags);
      set('link_tags', before.links);
    }
    return true;
  };
  const namesOf = (id: unknown) =>
    table('link_tags').flatMap((row) =>
      row['link_id'] === id ? [table('tags').find((tag) => tag['id'] === row['tag_id'])?.['name']] : [],
    );
  const acts: Readonly<Record<string, (args: Row) => unknown>> = {
    tag_links: tagLinks,
    merge_tags: merge,
    delete_tags: remove,
    undo_tag_change: undo,
    shared_tags: ({ link_ids }) =>
      list(link_ids).flatMap((id) => (namesOf(id).length > 0 ? [{ link_id: id, names: namesOf(id) }] : [])),
  };
  return {
    knows: (name: string) => Object.hasOwn(acts, name),
    call: (name: string, args: Row) => acts[name]?.(args),
    /** A link as it is read with its tags. */
    embed: (link: Row): Row => ({
      ...link,
      link_tags: table('link_tags').flatMap((row) =>
        row['link_id'] === link['id'] ? [{ tag_id: row['tag_id'] }] : [],
      ),
    }),
  };
}
