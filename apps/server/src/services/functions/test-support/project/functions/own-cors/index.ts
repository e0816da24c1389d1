Deno.serve((request) =>
  new URL(request.url).searchParams.has('silent')
    ? new Response('sem cabeçalhos')
    : new Response(request.method === 'OPTIONS' ? null : 'texto', {
        status: request.method === 'OPTIONS' ? 204 : 200,
        headers: [
          ['access-control-allow-origin', '*'],
          ['access-control-allow-headers', 'x-de-quem-sabe'],
          ['set-cookie', 'a=b'],
          ['set-cookie', 'c=d'],
          ['content-security-policy', "script-src 'unsafe-inline'"],
        ],
      }),
);
