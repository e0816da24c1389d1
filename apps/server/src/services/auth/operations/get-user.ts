import type { Operation } from '../auth-context.ts';
import { authenticate } from '../authenticate.ts';
import { presentUser } from '../present/present-user.ts';

/** GET /user: whose token this is. */
export const getUser: Operation = async (context, request) => ({
  body: presentUser((await authenticate(context, request)).user),
});
