import {
  describeMerge,
  describeTagUse,
  TAG_MESSAGES,
  titleMerge,
} from '@linkoteca/domain/messages/tag-messages';
import { PickDialog } from '../../../shared/ui/pickers/pick-dialog.tsx';
import { byUse, type Tag } from '../model/tag-rows.ts';
import { TagDot } from './tag-chip.tsx';

interface MergeDialogProps {
  readonly open: boolean;
  /** The tag that becomes another. */
  readonly tag: Tag;
  readonly tags: readonly Tag[];
  readonly onClose: () => void;
  readonly onPick: (target: Tag) => void;
}

/** 'Juntar “receitas” com…': which one? Those that are used most come first. */
export function MergeDialog({ open, tag, tags, onClose, onPick }: MergeDialogProps) {
  const targets = tags.filter(({ id }) => id !== tag.id).toSorted(byUse);
  return (
    <PickDialog
      open={open}
      onClose={onClose}
      title={titleMerge(tag.name)}
      description={describeMerge(tag.name)}
      label={TAG_MESSAGES.mergeField}
      listLabel={TAG_MESSAGES.list}
      emptyText={TAG_MESSAGES.nothingFits}
      groups={[
        {
          label: '',
          options: targets.map(({ id, name, color, link_count: links }) => ({
            id,
            name,
            detail: describeTagUse(links),
            icon: <TagDot color={color} large />,
          })),
        },
      ]}
      onPick={(id) => {
        const target = targets.find((other) => other.id === id);
        onClose();
        if (target) onPick(target);
      }}
    />
  );
}
