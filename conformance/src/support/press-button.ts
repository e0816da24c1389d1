/** Where a press has led. */
export type Pressed = { readonly status: number; readonly location: string };

const FORM = /<form[^>]*>[\s\S]*?<\/form>/g;
const FIELD = /<input[^>]*>/g;

/**
 * Sends the form of a page that has this button, as a browser without scripts would, without following where it leads.
 * @param fields what the person fills in or chooses, by the fields' names.
 * @throws Error when the page has no such button.
 */
export async function pressButton(
  page: string,
  button: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<Pressed> {
  const text = await (await fetch(page)).text();
  const form = text.match(FORM)?.find((each) => new RegExp(`<button[^>]*>${button}</button>`).test(each));
  if (form === undefined) throw new Error(`the page ${page} has no button ${button}: ${text}`);
  const filled = new URLSearchParams();
  for (const field of form.match(FIELD) ?? []) {
    const isChosen = !/type="(?:radio|checkbox)"/.test(field) || / checked/.test(field);
    const name = readAttribute(field, 'name');
    if (isChosen && name !== '') filled.set(name, readAttribute(field, 'value'));
  }
  for (const [name, value] of Object.entries(fields)) filled.set(name, value);
  const response = await fetch(new URL(readAttribute(form, 'action') || page, page), {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(page).origin },
    body: filled.toString(),
  });
  return { status: response.status, location: response.headers.get('location') ?? '' };
}

function readAttribute(tag: string, name: string): string {
  const value = new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return value.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
}
