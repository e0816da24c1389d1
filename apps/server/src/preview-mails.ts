import { type AccountMailKind, writeAccountMail } from '@linkoteca/domain/mail-templates';
import { writeAccessRequestMail } from '../../../supabase/functions/_shared/access-request-mail.ts';
import { writeDailyMail } from '../../../supabase/functions/_shared/daily-mail.ts';
import { writeFolderMail } from '../../../supabase/functions/_shared/folder-mail.ts';
import { writeShareMail } from '../../../supabase/functions/_shared/share-mail.ts';
import type { Mail } from './kernel/mail.ts';
import type { AuthSettings } from './services/auth/auth-settings.ts';
import { previewAuthMails } from './services/auth/preview-mails.ts';

const TO = 'ana@exemplo.com.br';
const DAY_MS = 86_400_000;
const ACCOUNT_MAILS: readonly AccountMailKind[] = [
  'deleted',
  'inactive_first',
  'inactive_second',
  'suspended',
  'webhook_off',
];

/** Every mail that this installation sends, by name, as it writes it now. They were sent to nobody. */
export function previewMails(settings: AuthSettings, now: Date): Readonly<Record<string, Mail>> {
  const { siteUrl } = settings;
  const invitation = {
    email: TO,
    unsubscribeToken: 'exemplo',
    siteUrl,
    functionsUrl: `${siteUrl}/functions/v1`,
  };
  const account = { email: TO, name: 'Ana Souza', deadline: new Date(now.getTime() + 30 * DAY_MS), siteUrl };
  return {
    ...previewAuthMails(settings, now),
    ...Object.fromEntries(
      ACCOUNT_MAILS.map((kind) => [`account_${kind}`, writeAccountMail({ ...account, kind })]),
    ),
    share_notification: writeShareMail({
      ...invitation,
      categoryId: '00000000-0000-4000-8000-000000000000',
      categoryName: 'Receitas de família',
      description: 'O que a avó anotou',
      ownerName: 'Bia Lima',
    }),
    access_request: writeAccessRequestMail({
      ...invitation,
      categoryId: '00000000-0000-4000-8000-000000000000',
      categoryName: 'Receitas de família',
      askerName: 'Bia Lima',
      askerEmail: 'bia@exemplo.com.br',
      note: 'Sou a prima da Carol, do grupo da família',
    }),
    daily_news: writeDailyMail({
      ...invitation,
      news: {
        places: 12,
        added: 31,
        shown: [
          {
            category: 'Receitas de família',
            folder: 'Casa',
            added: 3,
            links: [
              { title: 'Pão de queijo da avó', url: 'https://receitas.exemplo.com.br/pao-de-queijo' },
              { title: 'Bolo de fubá', url: 'https://www.exemplo.com/bolo' },
            ],
          },
          {
            category: 'Leituras',
            folder: null,
            added: 1,
            links: [{ title: 'Dom Casmurro, capítulo a capítulo', url: 'https://livros.exemplo.org/' }],
          },
        ],
      },
    }),
    folder_notification: writeFolderMail({
      ...invitation,
      folderName: 'Receitas',
      role: 'editor',
      senderName: 'Bia Lima',
      firstCategoryId: '00000000-0000-4000-8000-000000000000',
    }),
  };
}
