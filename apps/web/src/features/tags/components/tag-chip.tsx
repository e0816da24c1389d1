import { FOLDER_COLORS, type FolderColor } from '@linkoteca/domain/folder-look';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';

/** A tag as far as it is shown. */
export interface ShownTag {
  readonly name: string;
  readonly color: string | null;
}

/** Colour and name of a tag. */
export function TagLabel({ name, color }: ShownTag) {
  return (
    <>
      {color === null ? null : <TagDot color={color} />}
      <span className="truncate">{name}</span>
    </>
  );
}

/** The colour of a tag; an empty circle for none. */
export function TagDot({
  color,
  large = false,
}: {
  readonly color: string | null;
  readonly large?: boolean;
}) {
  const place = FOLDER_COLORS.indexOf(color as FolderColor);
  return (
    <span
      aria-hidden
      className={joinClassNames(
        'shrink-0 rounded-full',
        large ? 'size-3.5' : 'size-2',
        place < 0 && 'border border-edge',
      )}
      style={place < 0 ? undefined : { background: `var(--folder-${place + 1})` }}
    />
  );
}
