import { readMailApi } from '../_shared/account-mails.ts';
import { openStripe } from '../_shared/open-stripe.ts';
import { readOperatorKeys } from '../_shared/operator-keys.ts';
import { createAccountUpkeep } from './create-account-upkeep.ts';

const read = (name: string) => Deno.env.get(name) ?? '';

// The server and a schedule call it, no page does: without CORS.
Deno.serve(
  createAccountUpkeep({
    access: { fetch, url: read('SUPABASE_URL'), key: read('SUPABASE_SERVICE_ROLE_KEY') },
    operatorKeys: readOperatorKeys(read),
    siteUrl: read('SITE_URL'),
    mailApi: readMailApi(read),
    openStripe: () =>
      openStripe({
        fetch,
        secretKey: read('STRIPE_SECRET_KEY'),
        apiUrl: read('STRIPE_API_URL') || undefined,
      }),
    anonymousDays: Number(read('ANONYMOUS_USERS_DAYS')) || 30,
    now: () => Date.now(),
  }),
);
