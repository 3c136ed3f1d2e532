/** Texts of a picture: as wide as the browser draws them, and broken into lines. */

export const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

interface Type {
  /** px */
  readonly size: number;
  readonly weight: number;
}

let measure: CanvasRenderingContext2D | null | undefined;

export function textWidth(text: string, { size, weight }: Type): number {
  measure ??= document.createElement('canvas').getContext('2d');
  // A browser that cannot measure gets a guess that is rather too wide.
  if (measure === null) return text.length * size * 0.62;
  measure.font = `${weight} ${size}px ${FONT}`;
  return measure.measureText(text).width;
}

/** A picture is no place for a text of thousands of characters. */
const MOST_LINES = 6;

/** Breaks a text at spaces, and a word that is wider than a line within it. @param width of a line (px) */
export function linesOf(text: string, width: number, type: Type): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((long) => piecesOf(long, width, type))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line === '' || textWidth(longer, type) <= width) line = longer;
    else {
      lines.push(line);
      line = word;
    }
    if (lines.length === MOST_LINES) return [...lines.slice(0, -1), `${lines.at(-1)} …`];
  }
  return line === '' ? lines : [...lines, line];
}

function piecesOf(word: string, width: number, type: Type): readonly string[] {
  if (textWidth(word, type) <= width) return [word];
  const most = Math.max(1, Math.floor((word.length * width) / textWidth(word, type)));
  return Array.from({ length: Math.ceil(word.length / most) }, (_, index) =>
    word.slice(index * most, (index + 1) * most),
  );
}

/** A text without the characters that XML forbids: one of them would spoil the whole picture. */
export const writable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  text.toWellFormed().replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '');
