/** Permits of units. */
import { HYDRO, WIND } from '../world/carriers.ts';
import { AT_SEA } from '../world/kinds.ts';
import { unitsOfSite } from '../world/links.ts';
import { freeText } from '../world/names.ts';
import { bits, pick, roll } from '../world/random.ts';
import { dayElement, dayText, digits, element, timeText } from '../world/text.ts';
import type { Unit } from '../world/unit.ts';
import type { World } from '../world/world.ts';

const FILES = [
  '63/{d}-{y}',
  '44.0008/{y}/1.6.2',
  'II KwFe/{d}/01',
  'Az. {d}/{y} & Nachtrag',
  'nicht vorhanden',
  '30-824/{d}',
  'G 62.{d}/06',
  'IV/Wi 43.3 <{d}>',
];

export function permitRecord(world: World, unit: Unit): string {
  const base = unit.siteBase;
  const water = unit.carrier === HYDRO;
  const start =
    unit.commissioned < -25_000 || unit.commissioned > world.day ? unit.first : Math.min(unit.commissioned, unit.first);
  const granted = start - 200 - (bits(base, 400) % 900);
  const deadline = roll(base, 401) < 0.35;
  const endless = water && roll(base, 402) < 0.4;
  const art = water
    ? 2555
    : unit.kind === AT_SEA
      ? 2556
      : unit.carrier === WIND
        ? 846
        : pick(base, 403, [846, 845, 41, 41, 847, 848, 39, 40]);
  const file = pick(base, 404, FILES)
    .replace('{d}', digits(base, 405, 4))
    .replace('{y}', dayText(granted).slice(0, 4));
  return (
    `<GenMastrNummer>${world.series('SGE').of(unit.siteKey)}</GenMastrNummer>` +
    `<DatumLetzteAktualisierung>${timeText(Math.max(unit.first, Math.min(unit.updated, world.day)), base ^ 11)}</DatumLetzteAktualisierung>` +
    `<Art>${art}</Art>` +
    dayElement('Datum', granted) +
    element('Behoerde', freeText(authority(unit))) +
    element('Aktenzeichen', freeText(file)) +
    (deadline ? dayElement('Frist', granted + 1095) : '') +
    `<Frist_nv>${deadline ? 0 : 1}</Frist_nv>` +
    (water ? `<WasserrechtsNummer>W-${digits(base, 406, 5)}</WasserrechtsNummer>` : '') +
    (water && !endless ? dayElement('WasserrechtAblaufdatum', granted + 10_957) : '') +
    `<WasserrechtAblaufdatum_nv>${water && !endless ? 0 : 1}</WasserrechtAblaufdatum_nv>` +
    `<Registrierungsdatum>${dayText(unit.first)}</Registrierungsdatum>` +
    `<VerknuepfteEinheitenMaStRNummern>${unitsOfSite(world, unit.carrier, unit.leader)}</VerknuepfteEinheitenMaStRNummern>` +
    (unit.first > 20_200 ? dayElement('DatumDerAntragstellung', granted - 240) : '')
  );
}

function authority({ region, siteBase }: Unit): string {
  if (region.key === '') return 'Bundesamt für Seeschifffahrt und Hydrographie';
  if (/[Kk]reis|Region/.test(region.district)) return `${region.district}, Untere Immissionsschutzbehörde`;
  return pick(siteBase, 407, [
    `Landkreis ${region.district}`,
    `Landratsamt ${region.district}`,
    `Stadt ${region.municipality}, Bauaufsicht`,
    `Kreis ${region.district}`,
  ]);
}
