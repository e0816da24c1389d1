import { PICTURE_MESSAGES, PICTURE_REFUSALS } from '@linkoteca/domain/messages/picture-messages';
import { ImageUp, Trash2 } from 'lucide-react';
import { type DragEvent, Suspense, useEffect, useRef, useState } from 'react';
import { joinClassNames } from '../../../../shared/lib/browser/join-class-names.ts';
import { lazyPart } from '../../../../shared/lib/browser/lazy-part.tsx';
import { isUnderLayer } from '../../../../shared/lib/browser/use-shortcut.ts';
import { useOnline } from '../../../../shared/lib/connection/connection-context.tsx';
import { describeError } from '../../../../shared/lib/describe-error.ts';
import {
  type OpenedPicture,
  type PictureRefusal,
  readPictureFile,
} from '../../../../shared/lib/pictures/read-picture-file.ts';
import type { Person } from '../../../../shared/lib/session/read-person.ts';
import { Avatar } from '../../../../shared/ui/avatar.tsx';
import { Button } from '../../../../shared/ui/button.tsx';
import { Notice } from '../../../../shared/ui/feedback/notice.tsx';
import { toast } from '../../../../shared/ui/feedback/toast.ts';
import { useOwnPicture } from '../../api/own-picture.ts';
import { useRemovePicture } from '../../api/save-picture.ts';

const PictureDialog = lazyPart(
  () => import('./picture-dialog.tsx'),
  (module) => module.PictureDialog,
);

const words = PICTURE_MESSAGES;
/** What the system's file chooser offers first; what a file really is, its bytes say. */
const TYPES = 'image/jpeg,image/png,image/webp,image/gif,image/avif';

interface PictureFieldProps {
  readonly person: Person;
  readonly read?: typeof readPictureFile;
}

/** The person with their picture, which is chosen, dropped or pasted here, and taken away. */
export function PictureField({ person, read = readPictureFile }: PictureFieldProps) {
  const online = useOnline();
  const picture = useOwnPicture(person);
  const removal = useRemovePicture(person);
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [reading, setReading] = useState(false);
  const [refusal, setRefusal] = useState<PictureRefusal | null>(null);
  const [opened, setOpened] = useState<OpenedPicture | null>(null);
  const [adjusting, setAdjusting] = useState(false);
  const kept = useRef<OpenedPicture>(null);
  useEffect(() => () => kept.current?.close(), []);

  const take = async (file: File) => {
    if (!online || reading) return;
    setRefusal(null);
    setReading(true);
    const answer = await read(file);
    setReading(false);
    if (answer.kind === 'refused') return setRefusal(answer.reason);
    kept.current = answer.picture;
    setOpened(answer.picture);
    setAdjusting(true);
  };
  const section = useRef<HTMLElement>(null);
  usePastedPicture(section, (file) => void take(file));
  const remove = async () => {
    try {
      await removal.mutateAsync();
      toast.success(words.removed);
    } catch (error) {
      toast.error(describeError(error, words.removeFailed));
    }
  };
  const hold = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    // Else the browser would leave the page to show the file.
    event.preventDefault();
    setIsOver(online);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files[0];
    if (file) void take(file);
  };
  return (
    <section ref={section} aria-label={person.name} className="flex flex-col gap-3">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button in it is the first */}
      <div
        onDragOver={hold}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        className={joinClassNames(
          '-m-3 flex flex-wrap items-center gap-x-5 gap-y-3 rounded-lg border p-3 transition-colors',
          isOver ? 'border-accent bg-accent-soft' : 'border-transparent',
        )}
      >
        <Avatar name={person.name} size="large" picture={picture} />
        <div className="min-w-0 flex-1 basis-56">
          <p className="truncate text-lg font-semibold" title={person.name}>
            {person.name}
          </p>
          <p className="truncate text-base text-ink-soft" title={person.email}>
            {person.email}
          </p>
          <div className="mt-2.5 flex flex-wrap gap-2">
            <Button
              icon={<ImageUp aria-hidden />}
              busy={reading}
              busyLabel={words.reading}
              disabled={!online}
              onClick={() => input.current?.click()}
            >
              {picture === undefined ? words.add : words.change}
            </Button>
            {person.ownPicture === undefined ? null : (
              <Button
                variant="quiet"
                icon={<Trash2 aria-hidden />}
                busy={removal.isPending}
                disabled={!online}
                onClick={() => void remove()}
              >
                {words.remove}
              </Button>
            )}
          </div>
        </div>
        <input
          ref={input}
          type="file"
          accept={TYPES}
          hidden
          aria-label={words.add}
          onChange={(event) => {
            const file = event.target.files?.[0];
            // The same file may be chosen again.
            event.target.value = '';
            if (file) void take(file);
          }}
        />
      </div>
      {refusal ? <Notice tone="danger">{PICTURE_REFUSALS[refusal]}</Notice> : null}
      {online ? (
        <p className="text-sm text-ink-faint">{isOver ? words.dropNow : words.hint}</p>
      ) : (
        <Notice tone="warning">{words.offline}</Notice>
      )}
      {opened ? (
        <Suspense>
          <PictureDialog
            key={opened.image.src}
            open={adjusting}
            picture={opened}
            person={person}
            onClose={() => {
              setAdjusting(false);
              opened.close();
            }}
          />
        </Suspense>
      ) : null}
    </section>
  );
}

/** A picture that is pasted while this panel is on the screen. Text is left to whoever takes text. */
function usePastedPicture(
  section: { readonly current: HTMLElement | null },
  onPaste: (file: File) => void,
): void {
  const latest = useRef(onPaste);
  useEffect(() => {
    latest.current = onPaste;
  });
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith('image/'));
      if (event.defaultPrevented || file === undefined || isUnderLayer()) return;
      // The panel stays mounted behind the others of the profile.
      if (section.current?.closest('[hidden]') !== null) return;
      event.preventDefault();
      latest.current(file);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, [section]);
}
