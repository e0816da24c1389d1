type Row = Record<string, unknown>;

interface GroupTables {
  readonly table: (name: string) => Row[];
  readonly add: (name: string, row: Row) => Row;
  readonly set: (name: string, rows: Row[]) => void;
}

/** Groups of the table service in memory: lists of addresses, and the places that they give in folders. */
export function fakeGroups({ table, add, set }: GroupTables) {
  const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
  const drop = (name: string, gone: (row: Row) => boolean) =>
    set(
      name,
      table(name).filter((row) => !gone(row)),
    );
  const place = (group_id: unknown, folder_id: unknown, role: unknown, emails: unknown[]) => {
    for (const email of emails) add('folder_members', { folder_id, email, role, group_id });
  };
  const save = ({ group_id: id, name, added, removed }: Row) => {
    const group = table('groups').find((row) => row['id'] === id) ?? add('groups', { id, emails: [] });
    const gone = new Set(list(removed));
    Object.assign(group, {
      name,
      emails: [...list(group['emails']).filter((email) => !gone.has(email)), ...list(added)],
    });
    drop('folder_members', (row) => row['group_id'] === id && gone.has(row['email']));
    for (const share of table('folder_groups'))
      if (share['group_id'] === id) place(id, share['folder_id'], share['role'], list(added));
  };
  const end = (of: (row: Row) => boolean) => {
    drop('folder_groups', of);
    drop('folder_members', (row) => row['group_id'] != null && of(row));
  };
  const share = ({ folder_id, group_id, role }: Row) => {
    end((row) => row['folder_id'] === folder_id && row['group_id'] === group_id);
    add('folder_groups', { folder_id, group_id, role });
    const group = table('groups').find((row) => row['id'] === group_id);
    place(group_id, folder_id, role, list(group?.['emails']));
  };
  const remove = ({ group_id: id }: Row) => {
    const group = table('groups').find((row) => row['id'] === id);
    const folders = table('folder_groups').filter((row) => row['group_id'] === id);
    end((row) => row['group_id'] === id);
    drop('groups', (row) => row['id'] === id);
    return { name: group?.['name'], emails: group?.['emails'], folders };
  };
  const acts: Readonly<Record<string, (args: Row) => unknown>> = {
    list_groups: () =>
      table('groups').map((group) => ({
        ...group,
        folder_count: table('folder_groups').filter((row) => row['group_id'] === group['id']).length,
      })),
    save_group: save,
    delete_group: remove,
    restore_group: ({ group_id, content }) => {
      const { name, emails, folders } = content as Row;
      save({ group_id, name, added: emails });
      for (const each of list(folders)) share({ ...(each as Row), group_id });
    },
    list_folder_groups: ({ folder_id }) =>
      table('folder_groups')
        .filter((row) => row['folder_id'] === folder_id)
        .map(({ group_id, role }) => ({
          group_id,
          role,
          name: table('groups').find(({ id }) => id === group_id)?.['name'],
          member_count: table('folder_members').filter(
            (row) => row['group_id'] === group_id && row['folder_id'] === folder_id,
          ).length,
        })),
    share_folder_with_group: share,
    end_group_share: ({ folder_id, group_id }) =>
      end((row) => row['folder_id'] === folder_id && row['group_id'] === group_id),
  };
  return {
    knows: (name: string): boolean => Object.hasOwn(acts, name),
    call: (name: string, args: Row): unknown => acts[name]?.(args) ?? null,
  };
}
