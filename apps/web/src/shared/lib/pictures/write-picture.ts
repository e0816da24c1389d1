/** What was drawn as a file: as WebP, where the browser does not write it as JPEG. */
export async function writePicture(canvas: HTMLCanvasElement): Promise<Blob> {
  const webp = await encode(canvas, 'image/webp');
  // A browser that does not know the format answers with another.
  return webp.type === 'image/webp' ? webp : encode(canvas, 'image/jpeg');
}

async function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.88));
  if (blob === null) throw new Error('the picture could not be written');
  return blob;
}
