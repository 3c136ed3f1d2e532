/** The marks of invented data, which the generator writes, and by which a build tells it from the register's own. */

/** Name of the generator in the comment of an export. */
export const GENERATOR = 'energy-asset-data-service';

/** The names of all invented award lists and statistics begin with this. */
export const INVENTED_FILE = 'Erfundene-Beispieldaten_';
