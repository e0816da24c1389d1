import type { Operation } from '../auth-context.ts';

/** The version of the platform's service whose protocol this one speaks. */
const PROTOCOL_VERSION = 'v2.189.0';

/** GET /health */
export const showHealth: Operation = async () => ({
  body: {
    version: PROTOCOL_VERSION,
    name: 'GoTrue',
    description: 'GoTrue is a user registration and authentication API',
  },
});
