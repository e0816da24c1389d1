import { withCors } from '../_shared/answer-json.ts';
import { openStripe } from '../_shared/open-stripe.ts';
import { readPriceBook } from '../_shared/read-price-book.ts';
import { readReturnPlaces } from '../_shared/return-addresses.ts';
import { createCheckoutHandler } from './create-checkout-handler.ts';

const read = (name: string) => Deno.env.get(name) ?? '';

Deno.serve(
  withCors(
    createCheckoutHandler({
      fetch,
      stripe: openStripe({
        fetch,
        secretKey: read('STRIPE_SECRET_KEY'),
        apiUrl: read('STRIPE_API_URL') || undefined,
      }),
      book: readPriceBook(read),
      places: readReturnPlaces(read),
      supabaseUrl: read('SUPABASE_URL'),
      anonKey: read('SUPABASE_ANON_KEY'),
      serviceRoleKey: read('SUPABASE_SERVICE_ROLE_KEY'),
    }),
  ),
);
