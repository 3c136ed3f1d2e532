import { say } from '../format/language.ts';

/** A picture for print and for screens with dense pixels. */
const SCALE = 2;

/** Draws a picture into pixels. @throws Error when the browser cannot */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * SCALE;
    canvas.height = image.naturalHeight * SCALE;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error(say('Der Browser kann nicht zeichnen', 'The browser cannot draw'));
    context.scale(SCALE, SCALE);
    context.drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) =>
          blob === null ? reject(new Error(say('Das Bild ist zu groß', 'The picture is too large'))) : resolve(blob),
        'image/png',
      );
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
