import { element, expr } from './expression.ts';
import { between, oneOf, type UnitField } from './field.ts';
import { filterable, only, technical } from './technical-fields.ts';

const { einheit } = element;

/** Block `technik` of storage. What its plant says comes from storage-plants.sql, under the alias `speicheranlage`. */
export const STORAGE_FIELDS: readonly UnitField[] = [
  filterable(technical('speichertechnologie', 'label', only('storage', 'Technologie'), 'Speichertechnologie')),
  technical('batterietechnologie', 'label', einheit('Batterietechnologie'), 'Batterietechnologie'),
  filterable(technical('speicherAcDcKopplung', 'label', einheit('AcDcKoppelung'), 'AC- oder DC-Kopplung')),
  filterable(
    technical(
      'speicherNotstromaggregat',
      'boolean',
      only('storage', 'Notstromaggregat'),
      'Speicher dient als Notstromaggregat',
    ),
  ),
  {
    ...technical(
      'speicherkapazitaetKwh',
      'decimal',
      expr`speicheranlage.kapazitaet`,
      'Nutzbare Kapazität der Speicheranlage; gehört der Anlage, nicht der einzelnen Einheit',
      'kWh',
    ),
    sortable: true,
    filters: between('speicherkapazitaetMinKwh', 'speicherkapazitaetMaxKwh'),
    hint: 'Nicht summieren: jede Einheit der Anlage hat den ganzen Wert. Summierbar ist speicherkapazitaetAnteilKwh',
  },
  {
    ...technical(
      'speicherkapazitaetAnteilKwh',
      'decimal',
      expr`speicheranlage.anteil`,
      'Anteil der Einheit an der nutzbaren Kapazität ihrer Speicheranlage; die Anteile einer Anlage ergeben zusammen deren Kapazität',
      'kWh',
    ),
    additive: true,
    hint: 'Geteilt nach Bruttoleistung unter allen Einheiten der Anlage, gleich, wo keine Leistung bekannt ist. Auf ganze Wh abgerundet; den Rest hat die Einheit mit der größten Leistung, bei gleicher die mit der kleinsten Nummer',
  },
  {
    ...technical(
      'speichersegment',
      'label',
      expr`speicheranlage.segment`,
      'Größenklasse nach der Kapazität der Speicheranlage: heim bis 30 kWh, gewerbe bis 1.000 kWh, gross darüber; Pumpspeicher für sich',
    ),
    values: ['heim', 'gewerbe', 'gross', 'pumpspeicher'],
    filters: oneOf('speichersegment'),
  },
  {
    ...technical(
      'speicherdauerStunden',
      'decimal',
      expr`speicheranlage.stunden`,
      'Kapazität der Speicheranlage durch die Bruttoleistung ihrer Einheiten: so lange kann sie mit voller Leistung ausspeichern',
      'h',
    ),
    hint: 'Leer, wo Kapazität oder Leistung fehlt. Werte weit außerhalb des Üblichen (Batterien 1 bis 8 h) sind meist Eingabefehler von Wh oder MWh',
  },
  technical(
    'speicherMastrNummer',
    'number',
    expr`mastr(coalesce(speicheranlage.nummer, ${einheit('SpeMastrNummer')}))`,
    'MaStR-Nummer der Speicheranlage',
  ),
  technical(
    'speicherWechselrichterleistungKw',
    'decimal',
    einheit('ZugeordnenteWirkleistungWechselrichter'),
    'Zugeordnete Wirkleistung der Wechselrichter',
    'kW',
  ),
  technical(
    'speicherSolareinheitMastrNummer',
    'number',
    expr`mastr(${einheit('GemeinsamRegistrierteSolareinheitMastrNummer')})`,
    'Gemeinsam registrierte Solareinheit',
  ),
  filterable(
    technical('pumpspeichertechnologie', 'label', einheit('Pumpspeichertechnologie'), 'Pumpspeichertechnologie'),
  ),
  technical(
    'pumpleistungKw',
    'decimal',
    einheit('PumpbetriebLeistungsaufnahme'),
    'Leistungsaufnahme im Pumpbetrieb',
    'kW',
  ),
  technical(
    'pumpbetriebRegelbar',
    'boolean',
    einheit('PumpbetriebKontinuierlichRegelbar'),
    'Pumpbetrieb kontinuierlich regelbar',
  ),
];
