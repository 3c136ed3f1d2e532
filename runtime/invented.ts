/** How invented data is told from the register's own: the generator marks what it writes, and a build looks for the marks. */

/** Name of the generator in the comment of an export. */
export const GENERATOR = 'energy-asset-data-service';

/** The names of all invented award lists and statistics begin with this. */
export const INVENTED_FILE = 'Erfundene-Beispieldaten_';
