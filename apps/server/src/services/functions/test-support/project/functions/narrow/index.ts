/** Answers when the address that the caller names has answered; without one at once. */
Deno.serve(async (request) => {
  const until = new URL(request.url).searchParams.get('until');
  if (until !== null) await fetch(until);
  return new Response(`pronto: ${request.method} ${await request.text()}`);
});
