/** Tables by the lock that a migration's statements will ask for, as they are written there. */
export type LockedTables = {
  /** Readers and writers have to wait. */
  readonly exclusive: readonly string[];
  /** Writers have to wait. */
  readonly shared: readonly string[];
};

const NAME = String.raw`((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)`;
const EXCLUSIVE = [
  String.raw`\b(?:alter|drop|truncate|lock)\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?${NAME}`,
  String.raw`\bpolicy\s+(?:if\s+exists\s+)?(?:"[^"]+"|\w+)\s+on\s+${NAME}`,
  String.raw`\b(?:drop|alter)\s+trigger\s+(?:if\s+exists\s+)?(?:"[^"]+"|\w+)\s+on\s+${NAME}`,
];
const SHARED = [
  String.raw`\bcreate\s+(?:or\s+replace\s+)?(?:constraint\s+)?trigger\b[^;]*?\son\s+${NAME}`,
  String.raw`\bcreate\s+(?:unique\s+)?index\b[^;]*?\son\s+(?:only\s+)?${NAME}`,
  String.raw`\breferences\s+${NAME}`,
];

/**
 * Which tables a migration will lock. Read from its text, so a name may be one that does not exist, or of a statement inside a function:
 * the lock is then asked for in vain.
 */
export function listLockedTables(text: string): LockedTables {
  const statements = text.replaceAll(/--.*$/gm, '');
  const find = (patterns: readonly string[]) =>
    patterns.flatMap((pattern) =>
      [...statements.matchAll(new RegExp(pattern, 'gi'))].map(([, name = '']) => name),
    );
  const exclusive = new Set(find(EXCLUSIVE));
  const shared = new Set(find(SHARED).filter((name) => !exclusive.has(name)));
  return { exclusive: [...exclusive], shared: [...shared] };
}
