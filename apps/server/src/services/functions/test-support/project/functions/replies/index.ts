const form = () => {
  const data = new FormData();
  data.set('nome', 'Maria');
  data.set('arquivo', new Blob(['olá']), 'ola.txt');
  return data;
};

const REPLIES: Readonly<Record<string, () => Response>> = {
  json: () => Response.json({ ok: 'sim' }),
  bytes: () =>
    new Response(new Uint8Array([0, 255, 1]), { headers: { 'content-type': 'application/octet-stream' } }),
  pdf: () => new Response('%PDF-1.7', { headers: { 'content-type': 'application/pdf' } }),
  events: () => new Response('data: um\n\n', { headers: { 'content-type': 'text/event-stream' } }),
  form: () => new Response(form()),
  text: () => new Response('olá'),
  nothing: () => new Response(null, { status: 204 }),
  moved: () => Response.redirect('https://example.com/outra', 303),
  teapot: () => Response.json({ error: 'Não há café' }, { status: 418 }),
  failed: () => Response.json({ error: 'Caiu' }, { status: 500 }),
  large: () => new Response('x'.repeat(3_000_000)),
};

Deno.serve((request) => {
  const kind = new URL(request.url).pathname.split('/').at(-1) ?? '';
  return REPLIES[kind]?.() ?? new Response('?', { status: 404 });
});
