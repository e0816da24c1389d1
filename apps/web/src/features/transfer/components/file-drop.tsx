import { FileUp } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { joinClassNames } from '../../../shared/lib/browser/join-class-names.ts';
import { Button } from '../../../shared/ui/button.tsx';
import { TRANSFER_MESSAGES } from '../model/transfer-messages.ts';

const words = TRANSFER_MESSAGES.import;
const TYPES = '.html,.htm,.csv,.tsv,.txt,.json,text/html,text/csv,application/json';

interface FileDropProps {
  readonly disabled: boolean;
  /** Asked instead of for a file, where the plan does not import. */
  readonly onRefused: (() => void) | null;
  /** What the plan lacks, said before the press; null where it lacks nothing. */
  readonly lock: string | null;
  readonly onFile: (file: File) => void;
}

/** A place to drop one file, with a button for whoever does not drag. */
export function FileDrop({ disabled, onRefused, lock, onFile }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const hold = (event: DragEvent) => {
    if (disabled || !event.dataTransfer.types.includes('Files')) return;
    // Else the browser would leave the page to show the file.
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files[0];
    if (file && !disabled) onFile(file);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way; the button in it is the first
    <div
      onDragOver={hold}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={joinClassNames(
        'flex flex-col items-center gap-1.5 rounded-lg border px-4 py-8 text-center transition-colors',
        isOver ? 'border-accent bg-accent-soft' : 'border-edge-soft bg-sunken',
      )}
    >
      <Button
        size="large"
        disabled={disabled}
        icon={<FileUp aria-hidden />}
        lock={lock}
        onClick={() => (onRefused ? onRefused() : input.current?.click())}
      >
        {words.choose}
      </Button>
      <p className="text-sm text-ink-soft">{isOver ? words.dropNow : words.drop}</p>
      <input
        ref={input}
        type="file"
        accept={TYPES}
        hidden
        aria-label={words.choose}
        onChange={(event) => {
          const file = event.target.files?.[0];
          // The same file may be chosen again.
          event.target.value = '';
          if (file) onFile(file);
        }}
      />
    </div>
  );
}
