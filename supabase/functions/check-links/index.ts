import { readOperatorKeys } from '../_shared/operator-keys.ts';
import { createCheckLinks } from './create-check-links.ts';

const read = (name: string) => Deno.env.get(name) ?? '';

// The server and a schedule call it, no page does: without CORS.
Deno.serve(
  createCheckLinks({
    access: { fetch, url: read('SUPABASE_URL'), key: read('SUPABASE_SERVICE_ROLE_KEY') },
    operatorKeys: readOperatorKeys(read),
    now: () => Date.now(),
  }),
);
