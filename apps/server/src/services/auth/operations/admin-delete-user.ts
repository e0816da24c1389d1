import * as v from 'valibot';
import { asAuthAdmin } from '../../../kernel/database.ts';
import type { Operation } from '../auth-context.ts';
import { requireOperator } from '../authenticate.ts';
import { flag, readBody } from '../body-fields.ts';
import { loadUser } from '../load-user.ts';
import { deleteUser } from '../stores/delete-user.ts';
import { retireUser } from '../stores/retire-user.ts';

const BODY = v.object({ should_soft_delete: flag });

/** DELETE /admin/users/{id}: the account and all that is its own; or, softly, only what tells who it was. */
export const adminDeleteUser: Operation = async (context, request) => {
  requireOperator(context, request);
  const user = await loadUser(context, request);
  const soft = request.body !== undefined && readBody(BODY, request.body).should_soft_delete;
  await asAuthAdmin(context.db, 'delete an account', (tx) =>
    soft ? retireUser(tx, user, context.now()) : deleteUser(tx, user.id),
  );
  return { body: {} };
};
