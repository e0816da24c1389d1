/** What the client asks through `Prefer` (RFC 7240). */
export type Preferences = {
  readonly representation: 'representation' | 'minimal' | 'headers-only' | undefined;
  readonly count: 'exact' | 'planned' | 'estimated' | undefined;
  readonly resolution: 'merge-duplicates' | 'ignore-duplicates' | undefined;
  readonly missing: 'default' | 'null' | undefined;
  readonly handling: 'strict' | 'lenient' | undefined;
  readonly maxAffected: number | undefined;
  /** Preferences that mean nothing here: ignored, unless handling is strict. */
  readonly unknown: readonly string[];
};

const KNOWN: Readonly<Record<string, readonly string[]>> = {
  return: ['representation', 'minimal', 'headers-only'],
  count: ['exact', 'planned', 'estimated'],
  resolution: ['merge-duplicates', 'ignore-duplicates'],
  missing: ['default', 'null'],
  handling: ['strict', 'lenient'],
  // Accepted and without effect: the server always commits, as the hosted platform does.
  tx: ['commit', 'rollback'],
};

const NONE = readPreferences('');

/** The first preference of a kind wins, over all `Prefer` headers in their order. */
export function parsePreferences(header: string | undefined): Preferences {
  return header === undefined ? NONE : readPreferences(header);
}

function readPreferences(header: string): Preferences {
  const found: Record<string, string> = {};
  const unknown: string[] = [];
  for (const part of header.split(',')) {
    const preference = part.trim();
    if (preference === '') continue;
    const equals = preference.indexOf('=');
    const kind = preference.slice(0, Math.max(equals, 0));
    const value = preference.slice(equals + 1);
    const known =
      kind === 'max-affected'
        ? /^\d{1,15}$/.test(value)
        : Object.hasOwn(KNOWN, kind) && KNOWN[kind]?.includes(value);
    if (known) found[kind] ??= value;
    else unknown.push(preference);
  }
  return {
    representation: found['return'] as Preferences['representation'],
    count: found['count'] as Preferences['count'],
    resolution: found['resolution'] as Preferences['resolution'],
    missing: found['missing'] as Preferences['missing'],
    handling: found['handling'] as Preferences['handling'],
    maxAffected: found['max-affected'] === undefined ? undefined : Number(found['max-affected']),
    unknown,
  };
}
