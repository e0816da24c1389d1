/** Answers when the caller says so with a second call; the body goes on until the third. */
let waiting: (() => void)[] = [];

Deno.serve({
  handler: async (request) => {
    if (new URL(request.url).pathname.endsWith('/release')) {
      for (const go of waiting) go();
      waiting = [];
      return new Response(null, { status: 204 });
    }
    await new Promise<void>((resolve) => waiting.push(resolve));
    return new Response('pronto');
  },
});
