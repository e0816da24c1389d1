/** A picture as an address that a page can show, and that can be kept for offline. */
export async function toDataAddress(picture: Blob): Promise<string> {
  const reader = new FileReader();
  const read = new Promise<void>((resolve, reject) => {
    reader.onload = () => resolve();
    reader.onerror = () => reject(reader.error);
  });
  reader.readAsDataURL(picture);
  await read;
  return String(reader.result);
}

/** The way back; the page's policy lets nobody fetch such an address. */
export function fromDataAddress(address: string): Blob {
  const [, type = '', content = ''] = /^data:([^;,]*);base64,(.*)$/s.exec(address) ?? [];
  return new Blob([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))], { type });
}
