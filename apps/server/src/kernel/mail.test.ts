import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMailer } from './mail.ts';

const FROM = 'Linkoteca <nao-responda@linkoteca.test>';
const MAIL = {
  to: 'joão@exemplo.test',
  subject: 'Confirme seu e-mail ✉',
  text: 'Olá, João!\n.\nhttps://linkoteca.test/a?b=1&c=2',
  html: '<p>Olá, <b>João</b> 🦜 שלום</p>',
};

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linkoteca-mail-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Received = { readonly recipients: readonly string[]; readonly mail: Email };

async function startSmtpServer(options: { refuse?: boolean } = {}) {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      username === 'carteiro' && password === 'se/nha'
        ? done(null, { user: username })
        : done(new Error('no')),
    onData: async (stream, session, done) => {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk as Buffer);
      if (options.refuse) return done(Object.assign(new Error('mailbox full'), { responseCode: 452 }));
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      received.push({ recipients, mail: await PostalMime.parse(Buffer.concat(chunks)) });
      done();
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port, received, close };
}

describe('without an SMTP server', () => {
  it('writes each mail as one file that only its owner may read, in the order of sending', async () => {
    const mailFolder = join(folder, 'not', 'there', 'yet');
    const mailer = createMailer({ from: FROM, mailFolder });
    await mailer.send(MAIL);
    const later = Array.from({ length: 20 }, (_, n) => `Depois, ${n}`);
    for (const subject of later) await mailer.send({ ...MAIL, subject });
    const names = (await readdir(mailFolder)).toSorted();
    for (const name of names) expect(name).toMatch(/\.eml$/);
    const parse = async (name: string) => PostalMime.parse(await readFile(join(mailFolder, name)));
    const subjects = await Promise.all(names.map(async (name) => (await parse(name)).subject));
    expect(subjects).toEqual([MAIL.subject, ...later]);

    const first = join(mailFolder, names[0] ?? '');
    expect((await stat(first)).mode & 0o777).toBe(0o600);
    const mail = await PostalMime.parse(await readFile(first));
    expect(mail).toMatchObject({
      subject: MAIL.subject,
      from: { name: 'Linkoteca', address: 'nao-responda@linkoteca.test' },
      to: [{ address: MAIL.to }],
    });
    expect(mail.html).toContain(MAIL.html);
    expect(mail.text?.trim()).toBe(MAIL.text);
  });

  it('addresses one recipient even when the address looks like a list', async () => {
    const mailer = createMailer({ from: FROM, mailFolder: folder });
    await mailer.send({ ...MAIL, to: 'a@exemplo.test, b@exemplo.test' });
    const [name = ''] = await readdir(folder);
    const mail = await PostalMime.parse(await readFile(join(folder, name)));
    expect(mail.to).toHaveLength(1);
  });

  it('cannot be made to add a header by a line break in the subject', async () => {
    const mailer = createMailer({ from: FROM, mailFolder: folder });
    await mailer.send({ ...MAIL, subject: 'Oi\r\nBcc: vitima@exemplo.test' });
    const [name = ''] = await readdir(folder);
    const mail = await PostalMime.parse(await readFile(join(folder, name)));
    expect(mail.bcc ?? []).toEqual([]);
    expect(mail.headers.map(({ key }) => key)).not.toContain('bcc');
  });
});

describe('with an SMTP server', () => {
  it('delivers text and HTML to the one recipient, signed in as the URL says', async () => {
    const smtp = await startSmtpServer();
    try {
      const smtpUrl = `smtp://carteiro:se%2Fnha@127.0.0.1:${smtp.port}`;
      await createMailer({ smtpUrl, from: FROM, mailFolder: folder }).send({
        ...MAIL,
        to: 'ana@exemplo.test',
      });
      expect(smtp.received).toHaveLength(1);
      expect(smtp.received[0]?.recipients).toEqual(['ana@exemplo.test']);
      expect(smtp.received[0]?.mail.subject).toBe(MAIL.subject);
      expect(smtp.received[0]?.mail.html).toContain(MAIL.html);
      expect(smtp.received[0]?.mail.text?.trim()).toBe(MAIL.text);
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await smtp.close();
    }
  });

  it('rejects when the server refuses the mail', async () => {
    const smtp = await startSmtpServer({ refuse: true });
    try {
      const mailer = createMailer({
        smtpUrl: `smtp://127.0.0.1:${smtp.port}`,
        from: FROM,
        mailFolder: folder,
      });
      await expect(mailer.send({ ...MAIL, to: 'ana@exemplo.test' })).rejects.toThrow('mailbox full');
    } finally {
      await smtp.close();
    }
  });

  it('rejects at once when nobody listens', async () => {
    const smtp = await startSmtpServer();
    await smtp.close();
    const mailer = createMailer({ smtpUrl: `smtp://127.0.0.1:${smtp.port}`, from: FROM, mailFolder: folder });
    await expect(mailer.send({ ...MAIL, to: 'ana@exemplo.test' })).rejects.toThrow('ECONNREFUSED');
  });
});
