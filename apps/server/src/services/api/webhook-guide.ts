import * as v from 'valibot';

/** A link as the events of webhooks have it (`private.webhook_links`, supabase/migrations/20261130000100_record_webhook_events.sql). */
const link = v.object({
  id: v.pipe(v.string(), v.uuid()),
  url: v.pipe(v.string(), v.url()),
  title: v.string(),
  description: v.nullable(v.string()),
  category_id: v.pipe(v.string(), v.uuid()),
  created_at: v.pipe(v.string(), v.isoTimestamp()),
});
const category = v.object({
  id: v.pipe(v.string(), v.uuid()),
  name: v.string(),
  is_public: v.boolean(),
  people: v.pipe(
    v.number(),
    v.integer(),
    v.description('How many people it is shared with by their address.'),
  ),
});

const count = v.pipe(
  v.number(),
  v.integer(),
  v.description(
    'How many there were. The list names fifty of them at most; the others are read through the API.',
  ),
);
const links = v.object({ count, links: v.array(link) });

/** What each event of webhooks carries in `data`. */
export const WEBHOOK_EVENTS = {
  'link.created': { summary: 'Links were saved, or came back from the bin', data: links },
  'link.updated': { summary: 'Address, title, description or category of links changed', data: links },
  'link.deleted': { summary: 'Links went to the bin', data: links },
  'category.shared': {
    summary: 'Categories became public, or were shared with further people',
    data: v.object({ count, categories: v.array(category) }),
  },
  'webhook.test': { summary: 'A trial, sent from the profile', data: v.object({}) },
} as const;

/** The whole message of an event, as it is posted. */
export function messageOf(event: keyof typeof WEBHOOK_EVENTS) {
  return v.object({
    type: v.literal(event),
    timestamp: v.pipe(v.string(), v.isoTimestamp(), v.description('When it happened.')),
    data: WEBHOOK_EVENTS[event].data,
  });
}

/** A receiver in Node: what the page of the API shows, and a test runs. */
export const WEBHOOK_RECEIVER = `import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks'; // npm install standardwebhooks

const webhook = new Webhook(process.env.LINKOTECA_WEBHOOK_SECRET); // whsec_…
const seen = new Set();

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  let event;
  try {
    // The body to the letter: it is what was signed.
    event = webhook.verify(Buffer.concat(chunks).toString(), request.headers);
  } catch {
    return response.writeHead(400).end();
  }
  // A message may come more than once, always under the same id.
  const id = request.headers['webhook-id'];
  if (!seen.has(id)) {
    seen.add(id);
    console.log(event.type, JSON.stringify(event.data));
  }
  // Any 2xx within ten seconds: do slow work afterwards.
  response.writeHead(204).end();
}).listen(process.env.PORT ?? 8080, function () {
  console.log('listening at', this.address().port);
});
`;

/** What receivers can rely on, each a paragraph of the page. */
export const WEBHOOK_RULES: readonly string[] = [
  'Webhooks are made in the profile, tab Programas, by people alone: no token reads or makes them. Each is an https address of the internet and the events that it wants. Its secret is shown once; when it is changed, the old one signs as well for 24 hours.',
  'Messages are signed as Standard Webhooks 1.0 says: headers webhook-id, webhook-timestamp and webhook-signature (v1, HMAC-SHA256). Published libraries verify them in most languages.',
  'Each message is delivered at least once, in the order of what happened. Redirects are not followed. What is not answered with 2xx within ten seconds is tried again after 5 s, 30 s, 2 min, 10 min, 30 min, 1 h, 2 h, 4 h and every 6 h, for three days, or when Retry-After says. After four attempts later messages go first, so one that fails alone holds up no other.',
  'A webhook that has failed for three days is turned off, and its owner is told by mail; so is one that answers 410, or that has ten thousand messages waiting. What waits is sent when it is turned on again.',
  'One change of a library is one message, also of ten thousand links imported at once: count says how many, and the list names fifty.',
];
