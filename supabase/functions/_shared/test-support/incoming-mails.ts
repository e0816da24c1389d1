import { createHmac } from 'node:crypto';

/** What the hook of the tests is opened with. */
export const HOOK_SECRET = 'segredo-do-gancho-de-teste';
export const MAIL_DOMAIN = 'entrada.exemplo.com.br';

export const basicAuth = (password = HOOK_SECRET, user = 'linkoteca') => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

export type MailWish = {
  readonly local?: string;
  readonly sender?: string;
  readonly subject?: string;
  readonly text?: string;
  readonly html?: string;
  readonly messageId?: string;
};

/** A message as Postmark posts it; its fields are those of https://postmarkapp.com/developer/webhooks/inbound-webhook. */
export function postmarkMessage({
  local = 'a'.repeat(24),
  sender = 'ana@exemplo.com.br',
  subject = 'Pão',
  text = 'https://pao.com.br/',
  html = '',
  messageId = '<m1@exemplo.com.br>',
}: MailWish = {}) {
  const to = `${local}@${MAIL_DOMAIN}`;
  return {
    FromName: 'Ana',
    MessageStream: 'inbound',
    From: sender,
    FromFull: { Email: sender, Name: 'Ana', MailboxHash: '' },
    To: to,
    ToFull: [{ Email: to, Name: '', MailboxHash: '' }],
    Cc: '',
    CcFull: [],
    Bcc: '',
    BccFull: [],
    OriginalRecipient: to,
    Subject: subject,
    MessageID: '73e6d360-66eb-11e1-8e72-a8904824019b',
    ReplyTo: '',
    MailboxHash: '',
    Date: 'Fri, 1 Aug 2014 16:45:32 -04:00',
    TextBody: text,
    HtmlBody: html,
    StrippedTextReply: '',
    Tag: '',
    Headers: [
      { Name: 'X-Spam-Checker-Version', Value: 'SpamAssassin 3.4.0 (2014-02-07) on p-pm-smtp-inbound01' },
      { Name: 'X-Spam-Status', Value: 'No' },
      { Name: 'X-Spam-Score', Value: '-0.1' },
      { Name: 'X-Spam-Tests', Value: 'DKIM_SIGNED,DKIM_VALID,DKIM_VALID_AU,SPF_PASS' },
      {
        Name: 'Received-SPF',
        Value: `Pass (sender SPF authorized) identity=mailfrom; client-ip=209.85.160.180; helo=mail-gy0-f180.google.com; envelope-from=${sender}; receiver=${to}`,
      },
      { Name: 'MIME-Version', Value: '1.0' },
      { Name: 'Message-ID', Value: messageId },
    ],
    Attachments: [
      {
        Name: 'foto.png',
        Content: 'iVBORw0KGgo=',
        ContentType: 'image/png',
        ContentLength: 8,
        ContentID: '',
      },
    ],
  };
}

/** The three fields that Mailgun proves itself by. @param now milliseconds since 1970. */
export function signAsMailgun(now: number, secret = HOOK_SECRET) {
  const timestamp = String(Math.floor(now / 1000));
  const token = 'c'.repeat(50);
  const signature = createHmac('sha256', secret)
    .update(timestamp + token)
    .digest('hex');
  return { timestamp, token, signature };
}
