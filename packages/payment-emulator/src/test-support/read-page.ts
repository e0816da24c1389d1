export type ReadPage = {
  readonly markup: string;
  /** What a person reads, with one space wherever there was room. */
  readonly text: string;
  readonly token: string;
  readonly alert: string;
  readonly status: string;
};

/** Reads a page as a browser's user would. */
export async function readPage(response: Response): Promise<ReadPage> {
  const markup = await response.text();
  const body = markup.replace(/<style>[\s\S]*?<\/style>/, '');
  return {
    markup,
    text: toText(body),
    token: /name="token" value="([^"]*)"/.exec(markup)?.[1] ?? '',
    alert: toText(/role="alert">([\s\S]*?)<\/p>/.exec(markup)?.[1] ?? ''),
    status: toText(/role="status">([\s\S]*?)<\/p>/.exec(markup)?.[1] ?? ''),
  };
}

function toText(markup: string): string {
  return markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/[ \n\t]+/g, ' ')
    .trim();
}
