import { SITE_PAGE_MARKS } from '@linkoteca/domain/sharing';

/** Where people write to; the installation fills it in. */
export function SupportAddress() {
  return <a href={`mailto:${SITE_PAGE_MARKS.support}`}>{SITE_PAGE_MARKS.support}</a>;
}
