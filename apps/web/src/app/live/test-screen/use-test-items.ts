import { formatClock } from '@linkoteca/domain/dates';
import { describeCategoryLimit, describeLinkLimit } from '@linkoteca/domain/messages/plan-messages';
import { readRefusal } from '@linkoteca/domain/read-refusal';
import { useCreateCategory } from '../../../features/categories/api/create-category.ts';
import { useCreateFolder } from '../../../features/folders/api/create-folder.ts';
import { useCreateLink } from '../../../features/links/api/create-link.ts';
import { describeError } from '../../../shared/lib/describe-error.ts';
import { createId } from '../../../shared/lib/writes/create-id.ts';
import { toast } from '../../../shared/ui/feedback/toast.ts';
import { useLibrary } from '../../organiser/use-library.ts';
import { useLibraryCounting } from '../../organiser/use-library-counting.ts';
import { nameTestItem, TEST_REALTIME_MESSAGES } from '../realtime-messages.ts';

/** Adds a folder, a category in the newest folder, a link in the newest category, each with a name of its own. */
export function useTestItems() {
  const { folders, categories } = useLibrary();
  const counting = useLibraryCounting();
  const folder = useCreateFolder(counting.newFolder);
  const category = useCreateCategory(counting.newCategory);
  const link = useCreateLink(counting.links);
  const [newestFolder] = folders;
  const [newestCategory] = categories;

  const addFolder = () => send(folder.mutateAsync(name('folder')));
  const addCategory = () => {
    if (newestFolder === undefined) toast.info(TEST_REALTIME_MESSAGES.needsFolder);
    else send(category.mutateAsync({ ...name('category'), description: null, folder_id: newestFolder.id }));
  };
  const addLink = () => {
    if (newestCategory === undefined) {
      toast.info(TEST_REALTIME_MESSAGES.needsCategory);
      return;
    }
    const { id, name: title } = name('link');
    const url = `https://example.com/${id}`;
    send(link.mutateAsync({ id, title, url, description: null, category_id: newestCategory.id }));
  };
  return {
    addFolder: { run: addFolder, busy: folder.isPending },
    addCategory: { run: addCategory, busy: category.isPending },
    addLink: { run: addLink, busy: link.isPending },
  };
}

function name(kind: 'folder' | 'category' | 'link') {
  const id = createId();
  // Two presses in one second must not ask for the same name.
  return { id, name: nameTestItem(kind, `${formatClock(new Date())} ${id.slice(0, 4)}`) };
}

function send(saving: Promise<unknown>): void {
  saving.catch((error: unknown) => {
    const refusal = readRefusal(error);
    const limit =
      refusal.kind === 'link_limit'
        ? describeLinkLimit(refusal.max)
        : refusal.kind === 'category_limit'
          ? describeCategoryLimit(refusal.max)
          : null;
    if (limit) toast.info(limit.title, limit.description);
    else toast.error(TEST_REALTIME_MESSAGES.failed, describeError(error, 'Tente de novo.'));
  });
}
