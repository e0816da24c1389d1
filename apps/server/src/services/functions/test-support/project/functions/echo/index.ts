Deno.serve(async (request, info) =>
  Response.json(
    {
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
      remote: info.remoteAddr.hostname,
    },
    { status: 201, headers: { 'x-of-function': 'yes' } },
  ),
);
