interface UserNameProps {
  readonly email: string;
  readonly name: string | null;
}

/** Who somebody is: the address, which the lists search, with the name below it. */
export function UserName({ email, name }: UserNameProps) {
  return (
    <span className="admin-user">
      <span className="admin-strong" title={email}>
        {email}
      </span>
      {name ? <span className="admin-soft">{name}</span> : null}
    </span>
  );
}
