import { writable } from './picture-text.ts';

/** Drawings that need no sheet: what the sheets of the page say about them is written into them. */

/** Properties that sheets of the page set, and that a picture outside of it would lose. */
const PROPERTIES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'text-anchor',
  'dominant-baseline',
  'paint-order',
  'visibility',
] as const;

/** Does something while the page is light. Nothing of it is painted. */
export function inLight<T>(work: () => T): T {
  const { dataset } = document.documentElement;
  const { theme } = dataset;
  dataset.theme = 'light';
  try {
    return work();
  } finally {
    if (theme === undefined) delete dataset.theme;
    else dataset.theme = theme;
  }
}

/** A copy of a drawing as it looks now. */
export function inlined(drawing: SVGSVGElement): SVGSVGElement {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll<SVGElement>('*')];
  const copies = [copy, ...copy.querySelectorAll<SVGElement>('*')];
  originals.forEach((original, index) => {
    const target = copies[index];
    if (target === undefined || original.tagName === 'style') return;
    const style = getComputedStyle(original);
    for (const property of PROPERTIES) target.setAttribute(property, style.getPropertyValue(property));
    for (const name of ['class', 'style', 'aria-hidden']) target.removeAttribute(name);
    for (const node of target.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) node.textContent = writable(node.textContent ?? '');
    }
  });
  for (const unwanted of copy.querySelectorAll('style, [data-transient]')) unwanted.remove();
  // A drawing inside of another would be cut off at its edges, and labels may reach over them.
  copy.setAttribute('overflow', 'visible');
  return copy;
}

/** A colour as the sheet means it now, written out. */
export function resolved(color: string): string {
  const probe = document.createElement('i');
  probe.style.color = color;
  document.body.append(probe);
  const written = getComputedStyle(probe).color;
  probe.remove();
  return written;
}

export const colorOf = (property: string): string => resolved(`var(${property})`);
