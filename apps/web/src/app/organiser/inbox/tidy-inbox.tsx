import { useEffect, useState } from 'react';
import { useDeleteLinks } from '../../../features/links/api/delete-links.ts';
import { TidyCard } from '../../../features/links/components/tidy-card.tsx';
import { findPlace } from '../../../features/links/model/category-groups.ts';
import { reportDeletion } from '../../../features/links/model/report-deletion.ts';
import { useShortcut } from '../../../shared/lib/browser/use-shortcut.ts';
import type { Link } from '../../../shared/lib/rows.ts';
import { useOrganiserDialogs } from '../dialogs/organiser-dialogs-context.ts';
import { useLinkMoving } from '../moving/use-link-moving.ts';
import { useCategoryGroups } from '../use-category-groups.ts';
import { useLibraryCounting } from '../use-library-counting.ts';
import { useLinkDeletion } from '../use-link-deletion.ts';
import { useSuggestions } from './use-suggestions.ts';

interface TidyInboxProps {
  /** What is in the inbox, as far as it is loaded; at least one. */
  readonly links: readonly [Link, ...(readonly Link[])];
  /** Called while few of them are left. */
  readonly onNearEnd: () => void;
  readonly onEdit: (link: Link) => void;
}

const FEW = 10;

/** The inbox one link at a time: a key or a press sends each where it belongs, and all of it can be undone. */
export function TidyInbox({ links, onNearEnd, onEdit }: TidyInboxProps) {
  const [skipped, setSkipped] = useState<ReadonlySet<string>>(new Set());
  const left = links.filter(({ id }) => !skipped.has(id));
  useEffect(() => {
    if (left.length < FEW) onNearEnd();
  });
  // Who has skipped all of them begins anew.
  const [link = links[0], next] = left;
  const groups = useCategoryGroups();
  const suggested = useSuggestions(link, next, groups);
  const suggestions = suggested?.flatMap((id) => findPlace(groups, id) ?? []) ?? null;
  const ask = useOrganiserDialogs();
  const move = useLinkMoving();
  const counting = useLibraryCounting();
  const deletion = useDeleteLinks(counting.links);
  const followDeletion = useLinkDeletion();

  const pick = (categoryId: string) => void move([link], categoryId);
  const pickOther = () =>
    ask({ kind: 'move-links', move: { links: [link], onMoved: () => undefined, focusAfter: () => null } });
  const remove = () =>
    followDeletion(
      reportDeletion({
        gone: [link],
        bulk: false,
        done: deletion.remove([link]),
        beginRestore: deletion.beginRestore,
      }),
    );
  const skip = () => {
    const passed = new Set([...skipped, link.id]);
    setSkipped(links.every(({ id }) => passed.has(id)) ? new Set() : passed);
  };
  const edit = () => onEdit(link);
  useSuggestionKeys(suggestions?.map(({ id }) => id) ?? [], pick);
  useShortcut('m', pickOther);
  useShortcut('e', edit);
  useShortcut('d', remove);
  useShortcut('p', links.length > 1 ? skip : null);

  return (
    <TidyCard
      link={link}
      suggestions={suggestions}
      onPick={pick}
      onPickOther={pickOther}
      onEdit={edit}
      onRemove={remove}
      onSkip={links.length > 1 ? skip : null}
    />
  );
}

function useSuggestionKeys(ids: readonly string[], pick: (id: string) => void): void {
  const actOf = (id: string | undefined) => (id === undefined ? null : () => pick(id));
  useShortcut('1', actOf(ids[0]));
  useShortcut('2', actOf(ids[1]));
  useShortcut('3', actOf(ids[2]));
  useShortcut('4', actOf(ids[3]));
  useShortcut('5', actOf(ids[4]));
}
