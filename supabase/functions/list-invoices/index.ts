import { withCors } from '../_shared/answer-json.ts';
import { openStripe } from '../_shared/open-stripe.ts';
import { createInvoiceListHandler } from './create-invoice-list-handler.ts';

const read = (name: string) => Deno.env.get(name) ?? '';

Deno.serve(
  withCors(
    createInvoiceListHandler({
      fetch,
      stripe: openStripe({
        fetch,
        secretKey: read('STRIPE_SECRET_KEY'),
        apiUrl: read('STRIPE_API_URL') || undefined,
      }),
      supabaseUrl: read('SUPABASE_URL'),
      anonKey: read('SUPABASE_ANON_KEY'),
      now: () => new Date(),
    }),
  ),
);
