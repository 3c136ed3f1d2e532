import { colorOf, inLight, inlined, resolved } from './inlined.ts';
import { FONT, linesOf, textWidth, writable } from './picture-text.ts';

/**
 * A chart as a picture of its own: with its title, its legend, its source, and every colour written out, so that it looks
 * the same in a report. Pictures are always light, as paper is.
 */

export interface PictureText {
  readonly title: string;
  readonly unit: string;
  readonly legend: readonly PictureKey[];
  readonly source: string;
}

/** A word of the legend, and what it stands beside. */
export interface PictureKey {
  readonly name: string;
  readonly color: string;
  readonly mark: 'area' | 'hatched' | 'line';
}

const NAMESPACE = 'http://www.w3.org/2000/svg';
const MARGIN = 20;
const LEGEND_LINE = 20;
const LEGEND_SIZE = 12.5;

/** @param chart the element that the chart was drawn into; all drawings in it are taken, where they stand */
export const svgOf = (chart: Element, text: PictureText): string =>
  inLight(() => new XMLSerializer().serializeToString(composed(chart, text)));

function composed(chart: Element, { title, unit, legend, source }: PictureText): SVGSVGElement {
  // The strip under the chart, which is there to be dragged, is no part of the picture.
  const drawings = [...chart.querySelectorAll('svg')].filter(
    (drawing) => drawing.parentElement?.closest('svg, [data-transient]') === null,
  );
  const boxes = drawings.map((drawing) => drawing.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const inner = Math.max(320, Math.ceil(Math.max(...boxes.map((box) => box.right)) - left));
  const width = inner + 2 * MARGIN;
  const picture = document.createElementNS(NAMESPACE, 'svg');
  const ink = colorOf('--ink');
  const faint = colorOf('--faint');
  const put = (name: string, attributes: Record<string, string | number>, content = ''): void => {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    element.textContent = writable(content);
    picture.append(element);
  };
  const paper = document.createElementNS(NAMESPACE, 'rect');
  picture.append(paper);
  let y = MARGIN;
  const paragraph = (content: string, size: number, fill: string, weight = 400): void => {
    for (const line of linesOf(content, inner, { size, weight })) {
      y += size;
      put('text', { x: MARGIN, y, 'font-family': FONT, 'font-size': size, 'font-weight': weight, fill }, line);
      y += size * 0.35;
    }
  };
  paragraph(title, 18, ink, 650);
  paragraph(unit, 13, faint);
  y += 6;
  let x = MARGIN;
  for (const { name, color, mark } of legend) {
    const space = 38 + textWidth(name, { size: LEGEND_SIZE, weight: 400 });
    if (x + space > width - MARGIN && x > MARGIN) {
      x = MARGIN;
      y += LEGEND_LINE;
    }
    for (const [element, attributes] of keyShapes(mark, x, y + 3, resolved(color))) put(element, attributes);
    put('text', { x: x + 20, y: y + 13, 'font-family': FONT, 'font-size': LEGEND_SIZE, fill: ink }, name);
    x += space;
  }
  y += legend.length > 0 ? LEGEND_LINE + 8 : 0;
  drawings.forEach((drawing, index) => {
    const box = boxes[index];
    if (box === undefined) return;
    const copy = inlined(drawing);
    const place = { x: MARGIN + box.left - left, y: y + box.top - top, width: box.width, height: box.height };
    for (const [key, value] of Object.entries(place)) copy.setAttribute(key, String(Math.round(value)));
    picture.append(copy);
  });
  y += Math.max(0, ...boxes.map((box) => box.bottom)) - top + 8;
  paragraph(source, 11, faint);
  const height = Math.ceil(y + MARGIN * 0.6);
  for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) {
    picture.setAttribute(key, String(value));
  }
  for (const [key, value] of Object.entries({ width, height, fill: colorOf('--paper') })) {
    paper.setAttribute(key, String(value));
  }
  return picture;
}

type Shape = readonly [name: string, attributes: Record<string, string | number>];

/** Draws the mark before a word of the legend. @param x, y upper left corner of a square of 12 pixels */
function keyShapes(mark: PictureKey['mark'], x: number, y: number, color: string): readonly Shape[] {
  if (mark === 'line') return [['path', { d: `M${x} ${y + 6}h16`, stroke: color, 'stroke-width': 2, fill: 'none' }]];
  if (mark === 'area') return [['rect', { x, y, width: 12, height: 12, rx: 2, fill: color }]];
  // Stripes as paths: a pattern would need an id that no drawing has.
  const stripes = `M${x} ${y + 4}l4 -4M${x} ${y + 10}l10 -10M${x + 4} ${y + 12}l8 -8M${x + 10} ${y + 12}l2 -2`;
  return [['path', { d: stripes, stroke: color, 'stroke-width': 2.5, fill: 'none' }]];
}
