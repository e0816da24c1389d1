import { useSingleKeys } from '../../../shared/lib/browser/single-key-shortcuts.ts';
import { nameKey } from '../../../shared/lib/name-key.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { SwitchField } from '../../../shared/ui/fields/switch-field.tsx';
import { SHORTCUT_GROUPS, type Shortcut } from '../model/shortcut-groups.ts';

interface ShortcutsSheetProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

/** Every shortcut of the product, and the switch for those of a single key. */
export function ShortcutsSheet({ open, onClose }: ShortcutsSheetProps) {
  const [singleKeys, setSingleKeys] = useSingleKeys();
  return (
    <Dialog open={open} onClose={onClose} title="Atalhos do teclado" width="wide">
      <SwitchField
        label="Atalhos de uma só tecla"
        hint="Desligue se você dita textos ou aperta teclas sem querer. Os atalhos com mais de uma tecla continuam."
        checked={singleKeys}
        onChange={setSingleKeys}
      />
      <div className="mt-5 gap-x-8 md:columns-2">
        {SHORTCUT_GROUPS.map(({ title, shortcuts }) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="mb-1 text-sm font-medium text-ink-soft">{title}</h3>
            <dl>
              {shortcuts.map((shortcut) => (
                <ShortcutRow key={shortcut.does} shortcut={shortcut} />
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}

function ShortcutRow({ shortcut: { keys, does } }: { readonly shortcut: Shortcut }) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-4 border-b border-line py-1 last:border-b-0">
      <dt className="min-w-0 text-base text-ink">{does}</dt>
      <dd className="flex shrink-0 flex-wrap items-center justify-end gap-1 text-xs text-ink-faint">
        {keys.map((combination, index) => (
          <span key={combination.join('+')} className="flex items-center gap-1">
            {index > 0 ? <span>ou</span> : null}
            {combination.map((key) => (
              <kbd
                key={key}
                className="inline-grid h-6 min-w-6 place-items-center rounded-sm border border-edge-soft bg-paper px-1.5 font-sans text-xs text-ink-soft"
              >
                {nameKey(key)}
              </kbd>
            ))}
          </span>
        ))}
      </dd>
    </div>
  );
}
