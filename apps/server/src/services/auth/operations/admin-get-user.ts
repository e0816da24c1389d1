import type { Operation } from '../auth-context.ts';
import { requireOperator } from '../authenticate.ts';
import { loadUser } from '../load-user.ts';
import { presentUser } from '../present/present-user.ts';

/** GET /admin/users/{id} */
export const adminGetUser: Operation = async (context, request) => {
  requireOperator(context, request);
  return { body: presentUser(await loadUser(context, request)) };
};
