Deno.serve(() => new Response('desligada'));
