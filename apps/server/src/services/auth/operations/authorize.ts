import type { Operation } from '../auth-context.ts';
import { withForm } from '../body-fields.ts';
import { startGoogleFlow } from '../start-google-flow.ts';

/** GET and POST /authorize: a browser leaves for another provider (protocol note, section 1.4). A form says what a query would. */
export const authorize: Operation = (context, request) => startGoogleFlow(context, withForm(request));
