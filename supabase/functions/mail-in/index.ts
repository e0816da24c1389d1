import { createMailIn } from './create-mail-in.ts';

const read = (name: string) => Deno.env.get(name) ?? '';

// No page calls it: without CORS.
Deno.serve(
  createMailIn({
    mailInUrl: read('MAIL_IN_URL'),
    access: { fetch, url: read('SUPABASE_URL'), key: read('SUPABASE_SERVICE_ROLE_KEY') },
    now: () => Date.now(),
    report: (report) => console.info('incoming mail', report),
    warn: (reason) => console.warn('a mail could not be saved and will be sent again', reason),
  }),
);
