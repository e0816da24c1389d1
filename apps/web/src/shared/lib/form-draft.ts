/** Text fields of a form that is not saved yet. */
export type DraftFields = Readonly<Record<string, string>>;

export interface FormDraft<Fields extends DraftFields> {
  /** What was typed when the page went away, on top of `initial`. */
  readonly read: (initial: Fields) => Fields;
  readonly write: (fields: Fields) => void;
  readonly clear: () => void;
}

/**
 * Keeps what is being typed in local storage, so that a reload or a crash loses nothing.
 * @param key names the form and its user: two people may share a computer.
 */
export function formDraft<Fields extends DraftFields>(key: string): FormDraft<Fields> {
  const storageKey = `linkoteca-draft-${key}`;
  return {
    read: (initial) => ({ ...initial, ...readFields(storageKey, Object.keys(initial)) }),
    write: (fields) => attempt(() => localStorage.setItem(storageKey, JSON.stringify(fields))),
    clear: () => attempt(() => localStorage.removeItem(storageKey)),
  };
}

/** Whatever is stored was written by some version of this product, or by someone else: only known text counts. */
function readFields(storageKey: string, names: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {};
  attempt(() => {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    if (typeof stored !== 'object' || stored === null) return;
    for (const name of names) {
      const value: unknown = (stored as Record<string, unknown>)[name];
      if (typeof value === 'string') fields[name] = value;
    }
  });
  return fields;
}

/** A full or forbidden storage must not stand between a person and a form. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Without storage there is no draft; the form itself is unharmed.
  }
}
