import { readMailApi, sendAccountMails } from '../_shared/account-mails.ts';
import { withCors } from '../_shared/answer-json.ts';
import { openStripe } from '../_shared/open-stripe.ts';
import { createDeleteAccount } from './create-delete-account.ts';

const read = (name: string) => Deno.env.get(name) ?? '';
const supabaseUrl = read('SUPABASE_URL');
const serviceRoleKey = read('SUPABASE_SERVICE_ROLE_KEY');

Deno.serve(
  withCors(
    createDeleteAccount({
      fetch,
      supabaseUrl,
      anonKey: read('SUPABASE_ANON_KEY'),
      serviceRoleKey,
      openStripe: () =>
        openStripe({
          fetch,
          secretKey: read('STRIPE_SECRET_KEY'),
          apiUrl: read('STRIPE_API_URL') || undefined,
        }),
      now: () => Date.now(),
      onClosed: () =>
        EdgeRuntime.waitUntil(
          sendAccountMails({
            access: { fetch, url: supabaseUrl, key: serviceRoleKey },
            siteUrl: read('SITE_URL'),
            mailApi: readMailApi(read),
          }).catch((error: unknown) => console.error('the mail waits in the queue', String(error))),
        ),
    }),
  ),
);
