import type { Operation } from '../auth-context.ts';
import { AuthError } from '../auth-error.ts';
import { authenticate } from '../authenticate.ts';
import { startGoogleFlow } from '../start-google-flow.ts';

/** GET /user/identities/authorize: a signed-in person adds another provider to the account. @throws manual_linking_disabled */
export const authorizeIdentity: Operation = async (context, request) => {
  const { user } = await authenticate(context, request);
  if (!context.google) throw new AuthError('manual_linking_disabled');
  return startGoogleFlow(context, request, user.id);
};
