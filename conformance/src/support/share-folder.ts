import type { Person } from './create-person.ts';
import { createPerson } from './create-person.ts';
import { createShelf, type Shelf } from './create-shelf.ts';
import { required } from './required.ts';
import type { Deployment } from './start-deployment.ts';

export type SharedFolder = Shelf & {
  readonly owner: Person;
  readonly editor: Person;
  readonly viewer: Person;
  /** An editor, until the owner took the place away. */
  readonly removed: Person;
  readonly stranger: Person;
  /** A second category of the shared folder. */
  readonly secondId: string;
  /** A category of the owner's in a folder that nobody shares. */
  readonly privateId: string;
  /** A link of the owner's in the shared category. */
  readonly linkId: string;
};

/** A folder named Cozinha that Olga shares, and people who stand to it in every way. */
export async function shareFolder(deployment: Deployment): Promise<SharedFolder> {
  const [owner, editor, viewer, removed, stranger] = (await Promise.all([
    createPerson(deployment, { plan: 'pro', name: 'Olga' }),
    ...Array.from({ length: 4 }, () => createPerson(deployment)),
  ])) as [Person, Person, Person, Person, Person];
  const shelf = await createShelf(owner, 'Cozinha');
  const { categoryId: privateId } = await createShelf(owner, 'Só minha');
  const second = await owner.client
    .from('categories')
    .insert({ name: 'Segunda', folder_id: shelf.folderId })
    .select('id')
    .single();
  const link = await owner.client
    .from('links')
    .insert({ url: 'https://olga.test/', title: 'Da Olga', category_id: shelf.categoryId })
    .select('id')
    .single();
  const places = [
    [editor, 'editor'],
    [viewer, 'viewer'],
    [removed, 'editor'],
  ] as const;
  for (const [{ email }, role] of places)
    await owner.client
      .from('folder_members')
      .insert({ folder_id: shelf.folderId, email, role })
      .throwOnError();
  await owner.client.from('folder_members').delete().eq('email', removed.email).throwOnError();
  return {
    ...shelf,
    owner,
    editor,
    viewer,
    removed,
    stranger,
    secondId: required(second.data, second.error).id as string,
    privateId,
    linkId: required(link.data, link.error).id as string,
  };
}
