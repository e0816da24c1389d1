type Row = Record<string, unknown>;

interface OfferTables {
  readonly table: (name: string) => Row[];
  readonly add: (name: string, row: Row) => Row;
  readonly set: (name: string, rows: Row[]) => void;
}

/** Offers of folders in the table service in memory: those that the person makes, and those that are made to them. */
export function fakeFolderOffers({ table, add, set }: OfferTables) {
  const drop = (name: string, folderId: unknown) =>
    set(
      name,
      table(name).filter((row) => row['folder_id'] !== folderId),
    );
  const end = ({ folder_id: id }: Row) => {
    drop('folder_offers', id);
    drop('available_folders', id);
  };
  const acts: Readonly<Record<string, (args: Row) => unknown>> = {
    available_folders: () => table('available_folders'),
    folder_offer: ({ folder_id: id }) =>
      table('folder_offers').find((row) => row['folder_id'] === id)?.['email'] ?? null,
    offer_folder: ({ folder_id, email }) => {
      drop('folder_offers', folder_id);
      add('folder_offers', { folder_id, email });
    },
    end_folder_offer: end,
    take_folder: (args) => {
      const offered = table('available_folders').find((row) => row['folder_id'] === args['folder_id']);
      end(args);
      add('folders', { id: args['folder_id'], name: offered?.['name'] });
    },
  };
  return {
    knows: (name: string): boolean => Object.hasOwn(acts, name),
    call: (name: string, args: Row): unknown => acts[name]?.(args) ?? null,
  };
}
