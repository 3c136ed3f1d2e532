/**
 * A chart as a picture of its own: with its title, its legend, its source, and every colour written out, so that it looks
 * the same in a report. Pictures are always light, as paper is.
 */

export interface PictureText {
  readonly title: string;
  readonly unit: string;
  readonly legend: readonly { readonly name: string; readonly color: string }[];
  readonly source: string;
}

const NAMESPACE = 'http://www.w3.org/2000/svg';
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
const MARGIN = 20;
const LINE = 18;
/** A picture for print and for screens with dense pixels. */
const PNG_SCALE = 2;

/** Properties that sheets of the page set, and that a picture outside of it would lose. */
const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'text-anchor',
  'paint-order',
] as const;

/** @param chart the element that the chart was drawn into; all SVG pictures in it are taken, one below the other */
export function svgOf(chart: Element, text: PictureText): string {
  const root = document.documentElement;
  const theme = root.dataset.theme;
  root.dataset.theme = 'light';
  try {
    return new XMLSerializer().serializeToString(composed(chart, text));
  } finally {
    if (theme === undefined) delete root.dataset.theme;
    else root.dataset.theme = theme;
  }
}

function composed(chart: Element, { title, unit, legend, source }: PictureText): SVGSVGElement {
  const drawings = [...chart.querySelectorAll('svg')].filter(
    (drawing) => drawing.parentElement?.closest('svg') === null,
  );
  const boxes = drawings.map((drawing) => drawing.getBoundingClientRect());
  const width = Math.max(320, ...boxes.map((box) => Math.ceil(box.width))) + 2 * MARGIN;
  const picture = document.createElementNS(NAMESPACE, 'svg');
  const ink = colorOf('--ink');
  const faint = colorOf('--faint');
  const put = (name: string, attributes: Record<string, string | number>, content = ''): void => {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.textContent = content;
    picture.append(element);
  };
  const paper = document.createElementNS(NAMESPACE, 'rect');
  picture.append(paper);
  let y = MARGIN;
  const line = (content: string, size: number, fill: string, weight = 400): void => {
    for (const part of wrapped(content, (width - 2 * MARGIN) / (size * 0.53))) {
      y += size;
      put('text', { x: MARGIN, y, 'font-family': FONT, 'font-size': size, 'font-weight': weight, fill }, part);
      y += size * 0.35;
    }
  };
  line(title, 18, ink, 650);
  line(unit, 13, faint);
  y += 4;
  let x = MARGIN;
  for (const { name, color } of legend) {
    const space = 26 + name.length * 7.2;
    if (x + space > width - MARGIN && x > MARGIN) {
      x = MARGIN;
      y += LINE;
    }
    put('rect', { x, y: y + 3, width: 11, height: 11, rx: 2, fill: resolved(color) });
    put('text', { x: x + 16, y: y + 13, 'font-family': FONT, 'font-size': 12.5, fill: ink }, name);
    x += space;
  }
  if (legend.length > 0) y += LINE + 6;
  drawings.forEach((drawing, index) => {
    const box = boxes[index];
    if (box === undefined) return;
    const copy = inlined(drawing);
    copy.setAttribute('x', String(MARGIN));
    copy.setAttribute('y', String(y));
    copy.setAttribute('width', String(Math.ceil(box.width)));
    copy.setAttribute('height', String(Math.ceil(box.height)));
    picture.append(copy);
    y += Math.ceil(box.height);
  });
  y += 6;
  line(source, 11, faint);
  const height = Math.ceil(y + MARGIN * 0.6);
  for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    picture.setAttribute(key, String(value));
  }
  for (const [key, value] of Object.entries({ width, height, fill: colorOf('--paper') })) {
    paper.setAttribute(key, String(value));
  }
  return picture;
}

/** Breaks a text at spaces. @param most characters of a line, at most */
function wrapped(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > most) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** A copy of a drawing that needs no sheet. */
function inlined(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((original, index) => {
    const target = copies[index];
    if (target === undefined || original.tagName === 'style') return;
    const style = getComputedStyle(original);
    for (const property of PROPERTIES) target.setAttribute(property, style.getPropertyValue(property));
    target.removeAttribute('class');
    target.removeAttribute('style');
  });
  for (const unwanted of copy.querySelectorAll('style, [data-transient]')) unwanted.remove();
  return copy;
}

/** A colour as the sheet means it now, written out. */
function resolved(color: string): string {
  const probe = document.createElement('i');
  probe.style.color = color;
  document.body.append(probe);
  const written = getComputedStyle(probe).color;
  probe.remove();
  return written;
}

const colorOf = (property: string): string => resolved(`var(${property})`);

/** Draws a picture into pixels. @throws Error when the browser cannot */
export async function pngOf(svg: string): Promise<Blob> {
  const image = new Image();
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = image.naturalWidth * PNG_SCALE;
    canvas.height = image.naturalHeight * PNG_SCALE;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('Der Browser kann nicht zeichnen');
    context.scale(PNG_SCALE, PNG_SCALE);
    context.drawImage(image, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob === null ? reject(new Error('Das Bild ist zu groß')) : resolve(blob)), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(address);
  }
}
