import type { ReactNode } from 'react';

interface UserNameProps {
  readonly email: string;
  readonly name: string | null;
  /** What stands below: the state of the account. */
  readonly mark?: ReactNode;
}

/** Who somebody is: the address, which the lists search, with the name below it. */
export function UserName({ email, name, mark }: UserNameProps) {
  return (
    <span className="admin-user">
      <span className="admin-strong" title={email}>
        {email}
      </span>
      {name ? <span className="admin-soft">{name}</span> : null}
      {mark ? <span>{mark}</span> : null}
    </span>
  );
}
