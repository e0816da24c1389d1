/** Where most people here have their mail. */
const PROVIDERS = [
  'gmail.com',
  'hotmail.com',
  'outlook.com',
  'outlook.com.br',
  'yahoo.com',
  'yahoo.com.br',
  'icloud.com',
  'live.com',
  'uol.com.br',
  'bol.com.br',
  'terra.com.br',
  'globo.com',
  'proton.me',
];

/** The address that was probably meant ('ana@gmial.com'), or null: never a domain that is right, or just another one. */
export function suggestEmail(email: string): string | null {
  const at = email.lastIndexOf('@');
  const [name, domain] = [
    email.slice(0, at),
    email
      .slice(at + 1)
      .trim()
      .toLowerCase(),
  ];
  if (at < 1 || domain.length < 5 || PROVIDERS.includes(domain)) return null;
  const near = PROVIDERS.filter((provider) => isNear(domain, provider));
  // 'yaho.com.br' is near one, 'live.cm' too; what is near several says nothing.
  return near.length === 1 ? `${name}@${near[0]}` : null;
}

/** One letter too many, too few or another one, or two letters swapped. */
function isNear(typed: string, meant: string): boolean {
  if (Math.abs(typed.length - meant.length) > 1) return false;
  let start = 0;
  while (start < typed.length && typed[start] === meant[start]) start += 1;
  const [a, b] = [typed.slice(start), meant.slice(start)];
  const swapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return swapped || a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1);
}
