import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';

/** Less than a test may take, so that it says which mail did not come. */
const ARRIVES_WITHIN_MS = 50_000;
const POLL_MS = 50;

/**
 * The mails that the server has written for an address, oldest first.
 * @param known what was found before, by file: nothing is read twice.
 */
export async function readMails(
  dataFolder: string,
  address: string,
  known = new Map<string, Email | undefined>(),
): Promise<Email[]> {
  const folder = join(dataFolder, 'mail');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const news = names.filter((name) => !known.has(name));
  await Promise.all(news.map(async (name) => known.set(name, await readMailTo(address, join(folder, name)))));
  return names.flatMap((name) => known.get(name) ?? []);
}

async function readMailTo(address: string, file: string): Promise<Email | undefined> {
  const text = await readFile(file);
  // Hundreds lie there by the end of a run; an address of plain letters stands in its own mail as it is.
  if (/^[!-~]+$/.test(address) && !text.includes(address)) return undefined;
  const mail = await PostalMime.parse(text);
  return mail.to?.some((to) => to.address === address) ? mail : undefined;
}

/**
 * Waits for the `count`-th mail to an address.
 * @throws Error when it has not come in time.
 */
export async function waitForMail(dataFolder: string, address: string, count = 1): Promise<Email> {
  const deadline = Date.now() + ARRIVES_WITHIN_MS;
  const known = new Map<string, Email | undefined>();
  while (Date.now() < deadline) {
    const mail = (await readMails(dataFolder, address, known))[count - 1];
    if (mail !== undefined) return mail;
    await pause(POLL_MS);
  }
  throw new Error(`no mail number ${count} to ${address}`);
}

/** The first address in a mail's text that leads to the given path. */
export function findLink(mail: Email, path: string): string {
  const links = mail.text?.match(/https?:\/\/\S+/g) ?? [];
  const found = links.find((link) => new URL(link).pathname.startsWith(path));
  if (found === undefined) throw new Error(`the mail holds no link to ${path}: ${mail.text}`);
  return found;
}
