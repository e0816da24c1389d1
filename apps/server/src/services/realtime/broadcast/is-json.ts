const decoder = new TextDecoder('utf-8', { fatal: true });

/** Whether the bytes are one JSON value in UTF-8. */
export function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(decoder.decode(bytes));
    return true;
  } catch {
    return false;
  }
}
