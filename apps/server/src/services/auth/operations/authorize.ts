import type { Operation } from '../auth-context.ts';
import { startGoogleFlow } from '../start-google-flow.ts';

/** GET /authorize: a browser leaves for another provider (protocol note, section 1.4). */
export const authorize: Operation = (context, request) => startGoogleFlow(context, request);
