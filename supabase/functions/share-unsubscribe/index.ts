import { withCors } from '../_shared/answer-json.ts';
import { createShareUnsubscribe } from './create-share-unsubscribe.ts';

const read = (name: string) => Deno.env.get(name) ?? '';

Deno.serve(
  withCors(
    createShareUnsubscribe({
      fetch,
      supabaseUrl: read('SUPABASE_URL'),
      serviceRoleKey: read('SUPABASE_SERVICE_ROLE_KEY'),
      siteUrl: read('SITE_URL'),
    }),
  ),
);
