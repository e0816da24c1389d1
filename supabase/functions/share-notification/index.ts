import { withCors } from '../_shared/answer-json.ts';
import { readOperatorKeys } from '../_shared/operator-keys.ts';
import { createShareNotification } from './create-share-notification.ts';

const read = (name: string) => Deno.env.get(name) ?? '';
const url = read('MAIL_API_URL');

Deno.serve(
  withCors(
    createShareNotification({
      fetch,
      supabaseUrl: read('SUPABASE_URL'),
      anonKey: read('SUPABASE_ANON_KEY'),
      serviceRoleKey: read('SUPABASE_SERVICE_ROLE_KEY'),
      operatorKeys: readOperatorKeys(read),
      siteUrl: read('SITE_URL'),
      // Set on the hosted platform alone: our own server sends by SMTP, from its own process.
      mailApi: url === '' ? undefined : { url, key: read('MAIL_API_KEY'), from: read('MAIL_FROM') },
      waitUntil: (work) => EdgeRuntime.waitUntil(work),
    }),
  ),
);
