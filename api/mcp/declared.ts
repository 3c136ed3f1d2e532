/** The tools over one operation each, as data. */

/** The place of the rows in an answer, and the most that are passed on. */
export interface Rows {
  readonly at: 'data' | 'data.groups';
  readonly most: number;
  /** True where the newest stand last, which are then passed on. */
  readonly newestLast?: true;
}

/** A tool as it is declared; all else is derived from the description of its operation. */
export interface Declaration {
  readonly title: string;
  /** When to use it, for a reader who has seen no documentation. */
  readonly description: string;
  /** The id of the operation that it asks. */
  readonly operation: string;
  /** The parameters that it shows; in the order in which they are shown. */
  readonly parameters: readonly string[];
  /** True where any other filter of units may stand in `weitere`. */
  readonly takesFilters?: boolean;
  /** Values that are asked for where the caller leaves them out. */
  readonly defaults?: Readonly<Record<string, string>>;
  readonly rows?: Rows;
  /** Members of rows that say what others say, too. */
  readonly without?: readonly string[];
}

/** The filters that most questions use; find_fields finds the others. */
export const USUAL_FILTERS = [
  ...['einheitTyp', 'betriebsStatus', 'bundesland', 'landkreis', 'gemeinde', 'plz', 'leistungMinKw', 'leistungMaxKw'],
  ...['inbetriebnahmeVon', 'inbetriebnahmeBis', 'geplanteInbetriebnahmeVon', 'geplanteInbetriebnahmeBis', 'suche'],
  ...['betreiber', 'netzbetreiber', 'solarLage', 'windSeelage', 'speichersegment', 'signals', 'eegFoerderendeBis'],
];

/** Words find units as they are today alone. */
const USUAL_OF_CHANGES = USUAL_FILTERS.filter((name) => name !== 'suche');

const REGION = ['ebene', 'region', 'energietraeger'];

export const DECLARED: Readonly<Record<string, Declaration>> = {
  find_place: {
    title: 'Find a place',
    description:
      'Finds districts (set=landkreis), municipalities (set=gemeinde), states or postal codes by a part of their name, with official key and number of units. Use the value it returns as filter landkreis, gemeinde … or, with ebene, as region. The same tool lists the values of every other filter with a vocabulary (set=betreiber, netzbetreiber, windHersteller …).',
    operation: 'reference.values',
    parameters: ['set', 'q', 'einheitTyp', 'limit'],
    defaults: { limit: '20' },
    rows: { at: 'data', most: 50 },
  },
  search: {
    title: 'Find a unit or an operator by name or number',
    description:
      'Finds energy assets and market actors by a part of their name or by a MaStR number, the best hit first.',
    operation: 'search.find',
    parameters: ['q', 'typ', 'bundesland', 'einheitTyp', 'limit'],
    defaults: { limit: '10' },
    rows: { at: 'data', most: 20 },
  },
  list_units: {
    title: 'List energy assets',
    description:
      'Lists single assets that meet filters, with their number in meta.page.total. Sort by sort=bruttoleistungKw:desc for the largest. Use count_units for numbers and sums.',
    operation: 'units.list',
    parameters: [...USUAL_FILTERS, 'sort', 'fields', 'limit', 'cursor'],
    takesFilters: true,
    defaults: { limit: '10' },
    rows: { at: 'data', most: 50 },
  },
  show_unit: {
    title: 'One asset in full',
    description: 'All that the register and this service know of one asset: its MaStR number begins with SEE.',
    operation: 'units.show',
    parameters: ['id'],
  },
  count_units: {
    title: 'Count and sum assets in groups',
    description:
      'Number, gross capacity (kW) and storage energy (kWh) of the assets that meet filters, in groups and in total, now. With groupBy=bundesland, landkreis or gemeinde also per 1,000 inhabitants and per km²; with two dimensions in groupBy, such as einheitTyp and leistungsklasse, a group for each pair, with net capacity and shares. For what stood on past days by the register of today give bestandAm, for what the register said on a past day stand. Planned and decommissioned assets count too unless betriebsStatus=In Betrieb.',
    operation: 'aggregations.show',
    parameters: ['groupBy', 'bestandAm', 'stand', ...USUAL_FILTERS],
    takesFilters: true,
    rows: { at: 'data.groups', most: 60 },
    // They may be as many as the groups, each of which a question by one dimension has.
    without: ['teilsummen'],
  },
  time_series: {
    title: 'Growth over time',
    description:
      'Assets and capacity (MW) commissioned (zubau), decommissioned (abbau) and planned (pipeline) per year, quarter or month, by energy carrier, of the assets that meet filters. For places ask once for each, or compare_places for the figures of today.',
    operation: 'aggregations.zeitreihe',
    parameters: ['periode', 'von', 'bis', 'stand', ...USUAL_FILTERS],
    takesFilters: true,
    defaults: { periode: 'jahr' },
    rows: { at: 'data', most: 250, newestLast: true },
  },
  region_figures: {
    title: 'Key figures of a region',
    description:
      'What was built and taken down in the last 90 days, what is planned, and old wind turbines, of a state, district, municipality, postal code, or of Germany without region; also per inhabitant and km². Several places of one level as a list in region.',
    operation: 'region.momentaufnahme',
    parameters: [...REGION, 'bis', 'stand'],
  },
  age_structure: {
    title: 'Age structure of a region',
    description:
      'How old the stock of a region is: assets and capacity by cohorts of the year of commissioning, by carrier. Several places of one level as a list in region.',
    operation: 'region.altersstruktur',
    parameters: REGION,
    rows: { at: 'data', most: 200 },
  },
  what_changed: {
    title: 'What changed in the register',
    description:
      'Each change between two days (von, bis), oldest first: assets that came (neu), that changed, with fields before and after, and that left (entfallen). Choose fields with feld (such as betreiberMastrNummer or betriebsStatus), kinds with art. Filters hold before or after. Go on with meta.cursor.',
    operation: 'aenderungen.list',
    parameters: ['von', 'bis', 'feld', 'art', ...USUAL_OF_CHANGES, 'limit', 'cursor'],
    takesFilters: true,
    defaults: { limit: '20' },
    rows: { at: 'data', most: 50 },
  },
  why_a_sum_moved: {
    title: 'Why a sum moved',
    description:
      'Number and capacity (kW) of the assets that meet filters on two days (von, bis), and by how much each cause moved them: newly registered, commissioned, decommissioned, corrected, moved, departed. The causes add up to the difference. With betriebsStatus=In Betrieb it tells what was commissioned.',
    operation: 'aenderungen.summe',
    parameters: ['von', 'bis', ...USUAL_OF_CHANGES],
    takesFilters: true,
  },
  unit_history: {
    title: 'The past of one asset',
    description:
      'What one asset was like and what changed, version by version, newest first: its MaStR number begins with SEE.',
    operation: 'units.historie',
    parameters: ['id'],
  },
  list_tenders: {
    title: 'Tenders',
    description:
      'Bid dates of the tenders for renewable energy: volumes (kW), lowest, average and highest awarded bids (ct/kWh), the newest first. The id of one is for tender_awards.',
    operation: 'ausschreibungen.list',
    parameters: ['technologie', 'status', 'von', 'bis'],
    rows: { at: 'data', most: 30 },
  },
  tender_awards: {
    title: 'Awards of one tender',
    description: 'The awards of one bid date (id of list_tenders), with the assets of the register found for them.',
    operation: 'ausschreibungen.zuschlaege',
    parameters: ['id', 'bundesland', 'limit', 'cursor'],
    defaults: { limit: '20' },
    rows: { at: 'data', most: 50 },
  },
  data_quality: {
    title: 'Quality of the register',
    description:
      'Rules of plausibility by which values of the register cannot be right, or hardly, with the number and capacity of the assets to which each applies. auffaelligkeit=<rule> of list_units then lists them.',
    operation: 'qualitaet.show',
    parameters: USUAL_FILTERS,
    takesFilters: true,
    rows: { at: 'data', most: 60 },
    without: ['name', 'beschreibung', 'grenzen', 'quelle'],
  },
  dataset: {
    title: 'State of the data',
    description:
      'Which day the data is of, how many rows it has, and what was found when the register was read. Every answer of the other tools names the day, too.',
    operation: 'datasets.version',
    parameters: [],
    without: ['text'],
  },
};
