import type { Topology } from 'topojson-specification';

/** The lines of a map, each as longitude and latitude of its points, degrees in turn. */
export function linesOf({ arcs, transform }: Topology): Float64Array[] {
  if (transform === undefined) throw new TypeError('The map is not quantised');
  const [scaleX, scaleY] = transform.scale;
  const [fromX, fromY] = transform.translate;
  const points = new Float64Array(2 * arcs.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  return arcs.map((arc) => {
    const begin = at;
    let x = 0;
    let y = 0;
    for (const step of arc) {
      x += step[0] ?? 0;
      y += step[1] ?? 0;
      points[at++] = x * scaleX + fromX;
      points[at++] = y * scaleY + fromY;
    }
    return points.subarray(begin, at);
  });
}
