import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';

const ARRIVES_WITHIN_MS = 15_000;
const POLL_MS = 50;

/** The mails that the server has written for an address, oldest first. */
export async function readMails(dataFolder: string, address: string): Promise<Email[]> {
  const folder = join(dataFolder, 'mail');
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name))));
  // Hundreds lie there by the end of a run; an address of plain letters stands in its own mail as it is.
  const isPlain = /^[!-~]+$/.test(address);
  const mails = await Promise.all(
    texts.filter((text) => !isPlain || text.includes(address)).map((text) => PostalMime.parse(text)),
  );
  return mails.filter((mail) => mail.to?.some((to) => to.address === address));
}

/**
 * Waits for the `count`-th mail to an address.
 * @throws Error when it has not come in time.
 */
export async function waitForMail(dataFolder: string, address: string, count = 1): Promise<Email> {
  const deadline = Date.now() + ARRIVES_WITHIN_MS;
  while (Date.now() < deadline) {
    const mail = (await readMails(dataFolder, address))[count - 1];
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
