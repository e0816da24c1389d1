/** What became of the last stream, for the next call to ask. */
let last = { kind: '', sent: 0, cancelled: false, aborted: false };

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      last.sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
    cancel() {
      last.cancelled = true;
    },
  });
}

function ticks(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      await pause();
      last.sent += 1;
      controller.enqueue(encoder.encode(`data: ${last.sent}\n\n`));
    },
    cancel() {
      last.cancelled = true;
    },
  });
}

function broken(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      last.sent += 1;
      if (last.sent === 1) return controller.enqueue(new TextEncoder().encode('o começo'));
      await pause();
      controller.error(new Error('o fim não veio'));
    },
  });
}

Deno.serve(async (request) => {
  const kind = new URL(request.url).pathname.split('/').at(-1);
  if (kind === 'last') return Response.json(last);
  last = { kind: kind ?? '', sent: 0, cancelled: false, aborted: false };
  request.signal.addEventListener('abort', () => {
    last.aborted = true;
  });
  if (kind === 'endless') return new Response(endless());
  if (kind === 'ticks') return new Response(ticks(), { headers: { 'content-type': 'text/event-stream' } });
  if (kind === 'broken') return new Response(broken());
  if (kind === 'silent') {
    await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
    return new Response('ninguém ouve');
  }
  if (kind === 'unread') return new Response('sem ler');
  if (kind === 'count') {
    let bytes = 0;
    for await (const chunk of request.body ?? []) bytes += chunk.length;
    return Response.json({ bytes });
  }
  const upper = new TransformStream<string, string>({
    transform: (text, controller) => controller.enqueue(text.toUpperCase()),
  });
  const text = request.body?.pipeThrough(new TextDecoderStream()).pipeThrough(upper);
  return new Response(text?.pipeThrough(new TextEncoderStream()) ?? null);
});
