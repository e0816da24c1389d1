import { withCors } from '../_shared/answer-json.ts';
import { openSync } from '../_shared/open-stripe.ts';
import { createCheckSubscription } from './create-check-subscription.ts';

const read = (name: string) => Deno.env.get(name) ?? '';

Deno.serve(
  withCors(
    createCheckSubscription({
      sync: openSync(fetch, read),
      access: { fetch, url: read('SUPABASE_URL'), key: read('SUPABASE_ANON_KEY') },
      adminUserId: read('ADMIN_USER_ID') || undefined,
    }),
  ),
);
