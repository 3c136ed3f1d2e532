/**
 * Stands in the first view for d3-geo and for Plot's module of projections (api/app/bundle.ts): charts have axes, and maps are
 * drawn by `map/`, which asks d3-geo itself. A name that Plot wants and this file lacks is a fault of the bundle.
 */

export const createProjection = (): undefined => undefined;
export const hasProjection = (): boolean => false;
export const projectionAspectRatio = (): undefined => undefined;

/** Is called only where there is a projection, and by marks that no chart has. */
function none(): never {
  throw new Error('Charts have no projection');
}

export {
  none as applyPosition,
  none as geoCentroid,
  none as geoGraticule10,
  none as geoPath,
  none as getGeometryChannels,
  none as project,
  none as xyProjection,
};
