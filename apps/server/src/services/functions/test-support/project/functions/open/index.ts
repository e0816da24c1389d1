Deno.serve(() => new Response('aberta'));
