import { describeWhoIsHere, listNames } from '@linkoteca/domain/messages/presence-messages';
import { useCategoryPeople } from '../../../features/sharing/api/list-category-people.ts';
import { useUserId } from '../../../shared/lib/session/session-context.tsx';
import { useWhoIsThere } from '../../live/use-who-is-there.ts';

/**
 * Who else looks at the category on the screen, of those who may write in it. Nothing for whoever is alone.
 * Their names are the service's; a key that belongs to none of them is nobody.
 */
export function PeopleHere({ categoryId }: { readonly categoryId: string }) {
  const userId = useUserId();
  const { data: people = [] } = useCategoryPeople(categoryId);
  const hasCompany = people.length > 1 && people.some(({ id }) => id === userId);
  const there = useWhoIsThere(`category:${categoryId}`, hasCompany ? userId : null);
  const names = people.filter(({ id }) => id !== userId && there.includes(id)).map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <p
      data-print="hide"
      className="flex max-w-1/2 shrink-0 items-center gap-1.5 text-sm text-ink-soft"
      title={listNames(names)}
    >
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-accent" />
      <span className="truncate">{describeWhoIsHere(names)}</span>
    </p>
  );
}
