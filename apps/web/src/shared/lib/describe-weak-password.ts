const words: Readonly<Record<string, string>> = {
  length: 'Essa senha é curta demais.',
  characters: 'Misture letras maiúsculas e minúsculas, números e símbolos.',
  pwned: 'Essa senha apareceu em vazamentos de dados. Escolha outra.',
};

/** Why the service finds a password weak (AuthWeakPasswordError: reasons), or null for any other error. */
export function describeWeakPassword(error: unknown): string | null {
  const { code, reasons } = (error ?? {}) as { readonly code?: unknown; readonly reasons?: unknown };
  if (code !== 'weak_password') return null;
  const known = Array.isArray(reasons) ? reasons.flatMap((reason) => words[String(reason)] ?? []) : [];
  return known.join(' ') || 'Essa senha é fraca ou muito comum. Escolha outra.';
}
