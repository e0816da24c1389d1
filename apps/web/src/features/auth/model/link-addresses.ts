/** Where the link of the confirmation mail leads. */
export function confirmationAddress(): string {
  return `${window.location.origin}/login`;
}

/** Where the link of the reset mail leads. */
export function resetAddress(): string {
  return `${window.location.origin}/change-password`;
}
