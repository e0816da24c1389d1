import type { Person } from './create-person.ts';
import { required } from './required.ts';

export type Shelf = { readonly folderId: string; readonly categoryId: string };

/** A folder with one category, inserted as the app does. */
export async function createShelf({ client, id }: Person, name = 'Trabalho'): Promise<Shelf> {
  const folder = await client
    .from('folders')
    .insert({ name, user_id: id, is_public: false, shared_with: [] })
    .select()
    .single();
  const folderId = required(folder.data, folder.error).id as string;
  const category = await client
    .from('categories')
    .insert({ name: 'Artigos', description: null, folder_id: folderId, user_id: id, is_public: false })
    .select()
    .single();
  return { folderId, categoryId: required(category.data, category.error).id as string };
}
