Deno.serve(() => new Response('contada'));
