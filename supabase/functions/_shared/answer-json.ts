/** An answer for one caller alone: nothing between keeps it. */
export function answerJson(
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store', ...headers } });
}

/** A refusal with a sentence for people. */
export function refuse(
  status: number,
  error: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return answerJson(status, { error }, headers);
}

/** Who may read a function's answers is its own business, here as on the hosted platform; so are preflights. */
export function withCors(handle: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    const response =
      request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await handle(request);
    const { headers } = response;
    if (request.method === 'OPTIONS') headers.set('access-control-max-age', '3600');
    // The client sends cookies mode "include": then `*` is not allowed anywhere.
    headers.set('access-control-allow-origin', request.headers.get('origin') ?? '*');
    headers.set('access-control-allow-credentials', 'true');
    headers.set('access-control-allow-methods', 'GET, POST, OPTIONS');
    const asked = request.headers.get('access-control-request-headers');
    if (asked !== null) headers.set('access-control-allow-headers', asked);
    headers.set('access-control-expose-headers', 'retry-after');
    headers.append('vary', 'origin');
    return response;
  };
}
