const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The platform's older column takes UUIDs alone; `owner_id` beside it takes any `sub`. */
export function toOwnerUuid(owner: string | null): string | null {
  return owner !== null && UUID.test(owner) ? owner : null;
}
