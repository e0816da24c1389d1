import type { User } from '@supabase/auth-js';

/** The signed-in person as the screens know them. */
export interface Person {
  readonly id: string;
  readonly email: string;
  /** What to call them: full name, else the part of the e-mail before the @. */
  readonly name: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Address of their picture at the provider they sign in with. */
  readonly picture?: string | undefined;
  /** Where in their folder of the file bucket the picture is that they chose themselves; it goes before the provider's. */
  readonly ownPicture?: string | undefined;
}

/** Reads a person from the auth service's user; metadata is whatever was once saved, so nothing is taken for granted. */
export function readPerson(user: User): Person {
  const text = (key: string) => {
    const value: unknown = user.user_metadata?.[key];
    return typeof value === 'string' ? value.trim() : '';
  };
  const email = user.email ?? '';
  const given = text('name') || text('full_name');
  const [firstWord = '', ...otherWords] = given.split(/\s+/);
  const firstName = text('firstName') || firstWord;
  const lastName = text('lastName') || otherWords.join(' ');
  const full = [text('firstName'), text('lastName')].filter(Boolean).join(' ');
  const name = full || given || email.split('@')[0] || email;
  // Metadata may say anything; the page's security policy lets nothing else in.
  const picture = /^https:/.test(text('avatar_url')) ? text('avatar_url') : undefined;
  // In the person's own folder, and nowhere else: no climbing out of it.
  const path = text('avatar_path');
  const ownPicture = /^avatar\/[0-9a-f-]{36}\.(?:webp|jpg)$/.test(path) ? path : undefined;
  return { id: user.id, email, name, firstName, lastName, picture, ownPicture };
}
