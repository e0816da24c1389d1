import { withCors } from '../_shared/answer-json.ts';
import { openStripe } from '../_shared/open-stripe.ts';
import { readReturnPlaces } from '../_shared/return-addresses.ts';
import { createPortalHandler } from './create-portal-handler.ts';

const read = (name: string) => Deno.env.get(name) ?? '';

Deno.serve(
  withCors(
    createPortalHandler({
      fetch,
      stripe: openStripe({
        fetch,
        secretKey: read('STRIPE_SECRET_KEY'),
        apiUrl: read('STRIPE_API_URL') || undefined,
      }),
      places: readReturnPlaces(read),
      supabaseUrl: read('SUPABASE_URL'),
      anonKey: read('SUPABASE_ANON_KEY'),
    }),
  ),
);
