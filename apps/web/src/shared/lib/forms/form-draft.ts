/** Text fields of a form that is not saved yet. */
export type DraftFields = Readonly<Record<string, string>>;

export interface FormDraft<Fields extends DraftFields> {
  /** What was typed when the page went away, on top of `initial`. */
  readonly read: (initial: Fields) => Fields;
  readonly exists: () => boolean;
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
    exists: () => Object.keys(readStored(storageKey)).length > 0,
    write: (fields) => attempt(() => localStorage.setItem(storageKey, JSON.stringify(fields))),
    clear: () => attempt(() => localStorage.removeItem(storageKey)),
  };
}

/** Whatever is stored was written by some version of this product, or by someone else: only known text counts. */
function readFields(storageKey: string, names: readonly string[]): Record<string, string> {
  const stored = readStored(storageKey);
  const fields: Record<string, string> = {};
  for (const name of names) {
    const value = stored[name];
    // What is left empty may start with what suggests itself by now.
    if (typeof value === 'string' && value !== '') fields[name] = value;
  }
  return fields;
}

function readStored(storageKey: string): Readonly<Record<string, unknown>> {
  let stored: unknown = null;
  attempt(() => {
    stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
  });
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, unknown>) : {};
}

/** A full or forbidden storage must not stand between a person and a form. */
function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // Without storage there is no draft; the form itself is unharmed.
  }
}
