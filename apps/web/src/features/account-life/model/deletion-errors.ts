/** The password was not the account's. */
export class WrongPassword extends Error {
  override name = 'WrongPassword';
}

/** The person signed in too long ago, and there is no password to ask for. */
export class SignInTooOld extends Error {
  override name = 'SignInTooOld';
}

/** The server did not do it; `message` is its sentence for people. */
export class DeletionRefused extends Error {
  override name = 'DeletionRefused';
}
