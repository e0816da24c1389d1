import { formatCount } from '../../../packages/domain/src/formats.ts';
import { FIELD_LIMITS } from '../../../packages/domain/src/limits.ts';
import type { MailSection } from '../../../packages/domain/src/mail-templates.ts';
import { readHost } from '../../../packages/domain/src/urls.ts';
import { addressSharingMail, type Invitation, type InvitationMail } from './invitation-mail.ts';
import { quote, separate } from './quoted-words.ts';

/** What others added to places that the receiver shares, as `private.shared_news` makes it. */
export interface SharedNews {
  /** Categories with something new, and links in them: of each category a hundred at most are counted. */
  readonly places: number;
  readonly added: number;
  /** The ten with the newest. */
  readonly shown: readonly NewsPlace[];
}

interface NewsPlace {
  readonly category: string;
  /** Null where its receiver has the category alone. */
  readonly folder: string | null;
  readonly added: number;
  /** The newest five. */
  readonly links: readonly { readonly title: string; readonly url: string }[];
}

/** A row of `claim_daily_mails`, and where its links lead. */
export interface DailyMailFacts extends Invitation {
  readonly news: SharedNews;
}

/** From here on nobody counts. */
const COUNTED = 100;
const HOST_CHARACTERS = 60;

/** The mail about what others added since the last one. Titles and names stand in it as words: never as link, markup or header. */
export function writeDailyMail({ news, ...invitation }: DailyMailFacts): InvitationMail {
  const hidden = news.places - news.shown.length;
  return addressSharingMail(
    invitation,
    {
      subject: describeSubject(news),
      title: 'Novidades nos seus lugares compartilhados',
      paragraphs: [`Veja o que adicionaram: ${countLinks(news.added)} em ${countPlaces(news.places)}.`],
      sections: [
        ...news.shown.map(describePlace),
        ...(hidden > 0 ? [{ heading: `e mais ${formatCount(hidden, 'lugar', 'lugares')}`, lines: [] }] : []),
      ],
      button: { label: 'Abrir a Linkoteca', path: '/dashboard' },
      footnote:
        'Você recebeu este e-mail porque ligou o resumo diário no seu perfil. Os nomes e os títulos foram escritos por quem compartilha com você.',
    },
    { label: 'Não quero mais receber o resumo diário', query: '&mail=daily' },
  );
}

/** Read without its mail, in a list or a notice: there not even the look of an address remains. */
function describeSubject({ places, added, shown }: SharedNews): string {
  const [only] = shown;
  const count = countLinks(added).replace(/^m/, 'M');
  if (places !== 1 || only === undefined) return `${count} em ${countPlaces(places)}`;
  return `${count} em “${separate(quote(only.category, FIELD_LIMITS.categoryName))}”`;
}

function describePlace({ category, folder, added, links }: NewsPlace): MailSection {
  const name = quote(category, FIELD_LIMITS.categoryName);
  const rest = added - links.length;
  return {
    heading: folder === null ? name : `${quote(folder, FIELD_LIMITS.folderName)} › ${name}`,
    aside: countLinks(added),
    lines: [
      ...links.map(({ title, url }) => ({
        text: quote(title, FIELD_LIMITS.linkTitle),
        aside: quote(keepEnd(readHost(url)), HOST_CHARACTERS),
      })),
      ...(rest > 0 ? [{ text: added >= COUNTED ? 'e muitos outros' : `e mais ${rest}` }] : []),
    ],
  };
}

/** A host says whose it is at its end. */
function keepEnd(host: string): string {
  return host.length > HOST_CHARACTERS ? `…${host.slice(1 - HOST_CHARACTERS)}` : host;
}

function countLinks(count: number): string {
  return count >= COUNTED
    ? `mais de ${COUNTED - 1} links novos`
    : formatCount(count, 'link novo', 'links novos');
}

function countPlaces(count: number): string {
  return formatCount(count, 'lugar compartilhado', 'lugares compartilhados');
}
