const NAMESPACE = 'http://www.w3.org/2000/svg';

/** Fill of an area that is only planned: stripes in the colour of its carrier. The chart needs the patterns (`addHatching`). */
export const hatched = (id: string): string => `url(#hatching-${id})`;

/** Puts patterns into a drawing. @param colors colour (CSS) by the id that `hatched` names */
export function addHatching(drawing: Element, colors: ReadonlyMap<string, string>): void {
  const definitions = document.createElementNS(NAMESPACE, 'defs');
  for (const [id, color] of colors) {
    const pattern = document.createElementNS(NAMESPACE, 'pattern');
    const line = document.createElementNS(NAMESPACE, 'path');
    set(pattern, {
      id: `hatching-${id}`,
      width: 6,
      height: 6,
      patternUnits: 'userSpaceOnUse',
      patternTransform: 'rotate(45)',
    });
    set(line, { d: 'M0 0V6', 'stroke-width': 5 });
    line.style.stroke = color;
    pattern.append(line);
    definitions.append(pattern);
  }
  drawing.prepend(definitions);
}

const set = (element: Element, attributes: Readonly<Record<string, string | number>>): void => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
};
