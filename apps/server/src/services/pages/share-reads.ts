/**
 * Lets whoever asks for the same thing at the same time be answered by one read, and never by one that began before they
 * asked: while a read of a key is under way, all who come wait together for the next. So a page that everybody opens costs the
 * database one read at a time, and each answer is as fresh as if it had been read for it alone.
 */
export function shareReads<T>(): (key: string, read: () => Promise<T>) => Promise<T> {
  const underWay = new Map<string, { readonly done: Promise<unknown>; next?: Promise<T> }>();

  const begin = (key: string, read: () => Promise<T>): Promise<T> => {
    const reading = read();
    const entry = { done: reading.then(ignore, ignore) };
    underWay.set(key, entry);
    void entry.done.then(() => {
      // The next read, if anybody waits for one, has taken the place in the meantime.
      if (underWay.get(key) === entry) underWay.delete(key);
    });
    return reading;
  };

  return (key, read) => {
    const current = underWay.get(key);
    if (current === undefined) return begin(key, read);
    current.next ??= current.done.then(() => begin(key, read));
    return current.next;
  };
}

function ignore(): void {
  // The outcome is for those who asked.
}
