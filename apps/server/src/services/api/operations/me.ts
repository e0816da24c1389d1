import type * as v from 'valibot';
import { readAccess } from '../../../library/access.ts';
import { defineOperation, type Operation } from '../operation.ts';
import { me } from '../resources.ts';

type Counts = v.InferOutput<typeof me>['counts'];

const read = defineOperation({
  name: 'getMe',
  method: 'GET',
  path: '/me',
  summary: 'Whose token it is, what it may do, and how much there is',
  status: 200,
  answer: me,
  example: {},
  async run({ library, userId }) {
    const { mayRead, mayWrite, mayShare } = await readAccess(library);
    const { rows } = await library.read<Counts>({
      name: 'api_counts',
      text: `select n.folder_count as folders, n.category_count as categories, n.link_count as links
        from public.library_counts n where n.user_id = (select auth.uid())`,
    });
    return {
      body: {
        id: userId,
        access: { read: mayRead, write: mayWrite, share: mayShare },
        counts: rows[0] ?? { folders: 0, categories: 0, links: 0 },
      },
    };
  },
});

export const ME_OPERATIONS: readonly Operation[] = [read];
