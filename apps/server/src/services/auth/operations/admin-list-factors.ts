import type { Operation } from '../auth-context.ts';
import { requireOperator } from '../authenticate.ts';
import { loadUser } from '../load-user.ts';

/** GET /admin/users/{id}/factors: always none, because second factors are switched off. */
export const adminListFactors: Operation = async (context, request) => {
  requireOperator(context, request);
  await loadUser(context, request);
  return { body: [] };
};
