import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** What became of a call's streams. */
type Call = { sent: number; cancelled: boolean; aborted: boolean };

/** By the name that each call gives itself, for another to ask: `last?call=NAME`. */
const calls = new Map<string | null, Call>();

const pause = () => new Promise((resolve) => setTimeout(resolve, 20));

function endless(call: Call): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      call.sent += 65_536;
      controller.enqueue(new Uint8Array(65_536));
    },
    cancel() {
      call.cancelled = true;
    },
  });
}

function ticks(call: Call): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      await pause();
      call.sent += 1;
      controller.enqueue(encoder.encode(`data: ${call.sent}\n\n`));
    },
    cancel() {
      call.cancelled = true;
    },
  });
}

function broken(call: Call): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      call.sent += 1;
      if (call.sent === 1) return controller.enqueue(new TextEncoder().encode('o começo'));
      await pause();
      controller.error(new Error('o fim não veio'));
    },
  });
}

/** More than it says, the rest an answer by itself. */
function overlong(call: Call): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      call.sent += 1;
      if (call.sent === 1) return controller.enqueue(encoder.encode('curto'));
      await pause();
      controller.enqueue(encoder.encode('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nalheio'));
      controller.close();
    },
  });
}

Deno.serve(async (request) => {
  const { pathname, searchParams } = new URL(request.url);
  const kind = pathname.split('/').at(-1);
  const name = searchParams.get('call');
  if (kind === 'last') return Response.json(calls.get(name) ?? null);
  if (kind === 'collect') {
    collectGarbage();
    return Response.json({});
  }
  const call = { sent: 0, cancelled: false, aborted: false };
  calls.set(name, call);
  request.signal.addEventListener('abort', () => {
    call.aborted = true;
  });
  if (kind === 'endless') return new Response(endless(call));
  if (kind === 'ticks')
    return new Response(ticks(call), { headers: { 'content-type': 'text/event-stream' } });
  if (kind === 'overlong') return new Response(overlong(call), { headers: { 'content-length': '5' } });
  if (kind === 'broken') return new Response(broken(call));
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
