import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPerson, type Person } from './support/create-person.ts';
import { createVisitor } from './support/create-visitor.ts';
import { required } from './support/required.ts';
import { type RunningDeployment, startDeployment } from './support/start-deployment.ts';
import { startUnderDeno } from './support/start-under-deno.ts';

const SECRET = 'segredo-do-gancho';
const DOMAIN = 'entrada.exemplo.com.br';

let running: RunningDeployment;
let person: Person;
let local: string;
beforeAll(async () => {
  running = await startDeployment({ MAIL_IN_URL: `postmark://${SECRET}@${DOMAIN}` });
  person = await createPerson(running.deployment);
  const { data, error } = await person.client.rpc('change_mail_address');
  local = required(data, error);
});
afterAll(() => running.remove());

/** What Postmark posts for a mail that the person sends to their address. */
const message = (subject: string, sender = person.email) => ({
  FromFull: { Email: sender, Name: 'Ana', MailboxHash: '' },
  OriginalRecipient: `${local}@${DOMAIN}`,
  Subject: subject,
  MessageID: crypto.randomUUID(),
  TextBody: `Ver depois: https://pao.com.br/${subject}`,
  HtmlBody: '',
  Headers: [
    { Name: 'X-Spam-Tests', Value: 'DKIM_SIGNED,DKIM_VALID,DKIM_VALID_AU' },
    { Name: 'Message-ID', Value: `<${subject}@example.com>` },
  ],
  Attachments: [],
});

async function post(
  body: unknown,
  password = SECRET,
  url = `${running.deployment.url}/functions/v1/mail-in`,
) {
  const headers = {
    authorization: `Basic ${btoa(`postmark:${password}`)}`,
    'content-type': 'application/json',
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return [response.status, await response.json()];
}

const inbox = async () => {
  const { data, error } = await person.client
    .from('links')
    .select('url, title, description, categories(name)')
    .like('url', 'https://pao.com.br/%')
    .order('created_at');
  return required(data, error);
};

test('the app is told where mails are received', async () => {
  const config = await (await fetch(`${running.deployment.url}/config.json`)).json();
  expect(config).toMatchObject({ mailDomain: DOMAIN });
  expect(JSON.stringify(config)).not.toContain(SECRET);
});

test('a link that is sent to the secret address lies in the inbox, once', async () => {
  expect(await post(message('receita'))).toEqual([200, { outcomes: ['saved'] }]);
  expect(await post(message('receita'))).toEqual([200, { outcomes: ['repeated'] }]);
  expect(await inbox()).toEqual([
    {
      url: 'https://pao.com.br/receita',
      title: 'receita',
      description: 'Ver depois:',
      categories: { name: 'Entrada' },
    },
  ]);
});

test('a stranger saves nothing, and the person sees who it was and lets them', async () => {
  const before = await inbox();
  const mail = message('de-ana', 'ana@exemplo.com.br');
  expect(await post(mail, 'outro-segredo')).toEqual([401, { error: 'Assinatura inválida' }]);
  expect(await post(mail)).toEqual([200, { outcomes: ['unknown_sender'] }]);
  expect(await inbox()).toEqual(before);
  const { data } = await person.client.rpc('list_refused_mails');
  expect(data).toMatchObject([{ sender: 'ana@exemplo.com.br', subject: 'de-ana', reason: 'unknown_sender' }]);
  expect((await person.client.rpc('allow_mail_sender', { email: 'ana@exemplo.com.br' })).error).toBeNull();
  expect(await post(mail)).toEqual([200, { outcomes: ['saved'] }]);
});

test('nobody else reads the address, nor delivers past the hook', async () => {
  const other = await createPerson(running.deployment);
  expect((await other.client.rpc('mail_address')).data).toEqual([]);
  const args = {
    local_part: local,
    message_key: 'x',
    sender: person.email,
    is_verified: true,
    subject: '',
    links: [{ url: 'https://pao.com.br/x', title: 'X' }],
  };
  for (const client of [other.client, createVisitor(running.deployment)]) {
    const { error } = await client.rpc('receive_mail', args);
    expect(error?.code).toBe('42501');
  }
});

describe('as it is deployed to the hosted platform', () => {
  test('the hook takes a mail as here', async () => {
    const underDeno = await startUnderDeno('mail-in', {
      SUPABASE_URL: running.deployment.url,
      SUPABASE_SERVICE_ROLE_KEY: running.deployment.serviceRoleKey,
      MAIL_IN_URL: `sendgrid://${SECRET}@${DOMAIN}`,
    });
    try {
      const body = new FormData();
      body.append('from', `Ana <${person.email}>`);
      body.append('subject', 'Pão');
      body.append('html', '<a href="https://pao.com.br/deno">Receita</a>');
      body.append('envelope', JSON.stringify({ to: [`${local}@${DOMAIN}`], from: person.email }));
      body.append('SPF', 'pass');
      body.append('charsets', '{"subject":"UTF-8"}');
      body.append('attachment1', new File([new Uint8Array([0, 255])], 'foto.png'));
      const headers = { authorization: `Basic ${btoa(`x:${SECRET}`)}` };
      const response = await fetch(underDeno.url, { method: 'POST', headers, body });
      expect([response.status, await response.json()]).toEqual([200, { outcomes: ['saved'] }]);
      expect((await inbox()).at(-1)).toMatchObject({ url: 'https://pao.com.br/deno', title: 'Pão' });
    } finally {
      await underDeno.stop();
    }
  });
});
