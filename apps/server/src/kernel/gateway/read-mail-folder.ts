import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export type StoredMail = {
  /** The file's name without `.eml`. */
  readonly id: string;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  /** ISO 8601. */
  readonly date: string;
  readonly text: string;
  readonly html: string;
};

const MOST_MAILS = 100;

/** The newest mails of the folder, newest first: their names start with the time at which they were written. */
export async function readMailFolder(folder: string): Promise<StoredMail[]> {
  const names = (await readdir(folder).catch(() => []))
    .filter((name) => name.endsWith('.eml') && !name.startsWith('.'))
    .sort()
    .reverse()
    .slice(0, MOST_MAILS);
  // Only this page needs the parser.
  const { default: PostalMime } = await import('postal-mime');
  return Promise.all(
    names.map(async (name) => {
      const mail = await PostalMime.parse(await readFile(join(folder, name)));
      return {
        id: name.slice(0, -'.eml'.length),
        to: (mail.to ?? []).map(({ address }) => address ?? '').join(', '),
        from: mail.from?.address ?? '',
        subject: mail.subject ?? '',
        date: mail.date ?? '',
        text: mail.text ?? '',
        html: mail.html ?? '',
      };
    }),
  );
}
