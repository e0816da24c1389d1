/** How much of a page's picture is looked at. */
export interface PictureBounds {
  /** Bytes of an image's file. */
  readonly fileBytes: number;
  /** Milliseconds for all of it together. */
  readonly patienceMs: number;
  /** Pixels of an image's shorter side: less is no picture. */
  readonly shortestSide: number;
  /** Pixels of the longer side of what leaves the page. */
  readonly longestSide: number;
}

/**
 * The picture of the page that it runs in: what the page names as its own (Open Graph, Twitter, `image_src`), else the largest image that
 * is seen on it. Fetched as the page fetches its images, so that it is there for whoever is signed in; opened by what its bytes are, drawn
 * anew and small. As `readPage` it is sent there as text, and asks the document nothing by a name that the page can take. An image that
 * breaks what opens it breaks its own page, and nothing of the extension.
 * @param address of the page that is meant: another one may be there by now.
 * @returns a `data:` address of a WebP, or null.
 */
export async function readPicture(address: string, bounds: PictureBounds): Promise<string | null> {
  const page = (url: string) => url.split('#', 1)[0];
  if (page(location.href) !== page(address)) return null;
  const signal = AbortSignal.timeout(bounds.patienceMs);
  const find = (selector: string): readonly Element[] =>
    Array.prototype.slice.call(Document.prototype.querySelectorAll.call(document, selector), 0, 500);
  const named = ['og:image:secure_url', 'og:image', 'twitter:image', 'twitter:image:src']
    .flatMap((name) => find(`meta[property="${name}" i], meta[name="${name}" i]`).slice(0, 1))
    .map((meta) => meta.getAttribute('content'))
    .concat(find('link[rel="image_src" i]').map((link) => link.getAttribute('href')));
  const seen = (find('img') as HTMLImageElement[])
    .map((image) => ({ image, rect: image.getBoundingClientRect() }))
    .filter(
      // Banners and icons say nothing of a page.
      ({ image, rect: { width, height } }) =>
        image.naturalWidth > 0 && width >= 160 && height >= 90 && width <= height * 4,
    )
    .sort((a, b) => b.rect.width * b.rect.height - a.rect.width * a.rect.height)
    .map(({ image }) => image.currentSrc);

  const open = async (source: string): Promise<string | null> => {
    const response = await fetch(source, { signal });
    if (!response.ok || response.body === null) return null;
    const reader = response.body.getReader();
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      length += piece.value.byteLength;
      if (length > bounds.fileBytes) {
        await reader.cancel();
        return null;
      }
      pieces.push(piece.value);
    }
    const file = new Blob(pieces);
    const start = String.fromCharCode(...new Uint8Array(await file.slice(0, 16).arrayBuffer()));
    // JPEG, PNG, GIF, WebP, AVIF; a drawing (SVG) is a document with addresses and scripts of its own.
    if (!/^(?:\xFF\xD8\xFF|\x89PNG\r\n|GIF8[79]a|RIFF.{4}WEBP|.{4}ftypavif)/s.test(start)) return null;
    const image = await createImageBitmap(file);
    const { width, height } = image;
    if (Math.min(width, height) < bounds.shortestSide) return null;
    const scale = Math.min(1, bounds.longestSide / Math.max(width, height));
    const canvas = new OffscreenCanvas(
      Math.max(1, Math.round(width * scale)),
      Math.max(1, Math.round(height * scale)),
    );
    const context = canvas.getContext('2d');
    if (context === null) return null;
    context.imageSmoothingQuality = 'high';
    // Logos with nothing behind them are made for white pages.
    context.fillStyle = 'white';
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    const drawn = await canvas.convertToBlob({ type: 'image/webp', quality: 0.92 });
    return new Promise((resolve, reject) => {
      const reading = new FileReader();
      reading.onload = () => resolve(String(reading.result));
      reading.onerror = () => reject(reading.error);
      reading.readAsDataURL(drawn);
    });
  };

  const sources = [...named, ...seen.slice(0, 1)].flatMap((source) => {
    const written = source?.trim() ?? '';
    return written !== '' && written.length <= 2_000 && URL.canParse(written, location.href)
      ? [new URL(written, location.href)]
      : [];
  });
  const tried = new Set(sources.filter(({ protocol }) => /^https?:$/.test(protocol)).map(({ href }) => href));
  // What a page calls its image is often wrong in one of several places.
  for (const source of [...tried].slice(0, 3)) {
    try {
      const picture = await open(source);
      if (picture !== null) return picture;
    } catch {
      if (signal.aborted) return null;
    }
  }
  return null;
}
