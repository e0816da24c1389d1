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
