import { asAuthAdmin } from '../../../kernel/database.ts';
import type { AuthRequest, Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { requireOperator } from '../authenticate.ts';
import { presentUser } from '../present/present-user.ts';
import { listUsers } from '../stores/list-users.ts';
import { AUDIENCE } from '../stores/user-row.ts';

const DEFAULT_PAGE_SIZE = 50;
const MAX_PAGE_SIZE = 1000;
const MAX_PAGE = 1_000_000;

/** GET /admin/users: a page of accounts, with the total and the neighbouring pages in headers. */
export const adminListUsers: Operation = async (context, request) => {
  requireOperator(context, request);
  const page = readNumber(request, 'page', 1, MAX_PAGE);
  const perPage = Math.min(
    readNumber(request, 'per_page', DEFAULT_PAGE_SIZE, Number.MAX_SAFE_INTEGER),
    MAX_PAGE_SIZE,
  );
  const { filter = '', sort = '' } = request.query;
  const { users, total } = await asAuthAdmin(context.db, 'list accounts', (tx) =>
    listUsers(tx, { filter, newestFirst: readSort(sort), limit: perPage, offset: (page - 1) * perPage }),
  );
  return {
    headers: { 'x-total-count': String(total), link: listNeighbours(page, perPage, total) },
    body: { users: users.map(presentUser), aud: AUDIENCE },
  };
};

/** Empty counts as missing: the client library sends `page=&per_page=`. */
function readNumber({ query }: AuthRequest, key: string, missing: number, max: number): number {
  const raw = query[key] ?? '';
  if (raw === '') return missing;
  const value = /^\d+$/.test(raw) ? Number(raw) : 0;
  if (value < 1 || value > max)
    throw new AuthError('validation_failed', { message: `Bad Pagination Parameters: ${key}` });
  return value;
}

function readSort(sort: string): boolean {
  const [, direction = 'desc'] = /^created_at(?: (asc|desc))?$/.exec(sort) ?? [];
  if (sort !== '' && !sort.startsWith('created_at'))
    throw new AuthError('validation_failed', {
      message: `Bad Sort Parameters: bad field for sort '${sort}'`,
    });
  return direction === 'desc';
}

/** RFC 8288; `page` comes first because the client library reads the first number it finds. */
function listNeighbours(page: number, perPage: number, total: number): string {
  const last = Math.max(1, Math.ceil(total / perPage));
  const link = (to: number, rel: string) => `</admin/users?page=${to}&per_page=${perPage}>; rel="${rel}"`;
  return [...(page < last ? [link(page + 1, 'next')] : []), link(last, 'last')].join(', ');
}
