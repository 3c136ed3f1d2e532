import { expect, test } from 'vitest';
import { z } from 'zod';
import { filterConditions, unitFilterShape } from '../../../api/units/filters.ts';
import { bodyNotation, queryNotation } from '../../../api/wire/notation.ts';
import { UNIT_FILTERS } from '../../../sql/catalogue/unit-fields.ts';

/** The unit filters in both notations: interface.md "Unit filters". */

const inQuery = z.strictObject(unitFilterShape(queryNotation));
const inBody = z.strictObject(unitFilterShape(bodyNotation));

test('every filter of the interface, and no other', () => {
  const named = `
    einheitTyp energietraeger betriebsStatus mastrNummern betreiberMastrNummer betreiber bundesland signals einspeisungsart
    netzbetreiberpruefung netzbetreiber spannungsebene bilanzierungsgebiet regelzone solarLage solarNutzungsbereich
    solarSpeicherVorhanden windSeelage windHersteller windTypenbezeichnung windpark speichertechnologie speichersegment
    speicherAcDcKopplung pumpspeichertechnologie hauptbrennstoff verbrennungTechnologie biomasseart biomasseTechnologie
    wasserkraftart zuflussart geothermieTechnologie kernkraftTechnologie gebotstermin eegAbleitbarkeit
    suche bbox umkreis polygon plz landkreis gemeinde amStandort amNetzanschluss auffaellig auffaelligkeit
    hatKoordinaten buergerenergie nepGelistet hatGenehmigung speicherNotstromaggregat grenzkraftwerk mitKwk
    hatKwkMastrNummer hatKwkZuschlagsnummer mitFlexipraemie leistungserhoehung minderungStromerzeugung hatEegMastrNummer
    hatEegZuschlagsnummer
    leistungMinKw leistungMaxKw nettonennleistungMinKw nettonennleistungMaxKw ibnVerspaetungMinTage ibnVerschiebungMinTage ibnVerschiebungMaxTage
    speicherkapazitaetMinKwh speicherkapazitaetMaxKwh eegEinspeiseverguetungMinCtKwh eegEinspeiseverguetungMaxCtKwh
    eegAnzulegenderWertMinCtKwh eegAnzulegenderWertMaxCtKwh eegReferenzertragVerhaeltnisMin
    eegReferenzertragVerhaeltnisMax
    inbetriebnahmeVon inbetriebnahmeBis geplanteInbetriebnahmeVon geplanteInbetriebnahmeBis registrierungVon
    registrierungBis stilllegungVon stilllegungBis eegPhasenwechselVon eegPhasenwechselBis eegFoerderendeVon
    eegFoerderendeBis`;
  expect([...UNIT_FILTERS.keys()].sort()).toEqual(named.trim().split(/\s+/).sort());
});

test.each([
  ['einheitTyp=wind,solar,wind', { einheitTyp: ['wind', 'solar'] }],
  ['hauptbrennstoff="Abfall, fest",Erdgas', { hauptbrennstoff: ['Abfall, fest', 'Erdgas'] }],
  ['hatKoordinaten=false&mitKwk=true', { hatKoordinaten: false, mitKwk: true }],
  ['leistungMinKw=-0.5&leistungMaxKw=123456789012345', { leistungMinKw: -0.5, leistungMaxKw: 123456789012345 }],
  ['leistungMinKw=0.0000001', { leistungMinKw: 1e-7 }],
  [
    'leistungMinKw=-999999999999999.999&leistungMaxKw=999999999999999.999',
    { leistungMinKw: -1e15, leistungMaxKw: 1e15 },
  ],
  ['einheitTyp=solar,wind,solar', { einheitTyp: ['wind', 'solar'] }],
  ['bundesland= Bayern,Hessen ', { bundesland: [' Bayern', 'Hessen '] }],
  ['inbetriebnahmeVon=2024-02-29', { inbetriebnahmeVon: '2024-02-29' }],
  ['suche= Süd  heide Süd', { suche: ' Süd  heide Süd' }],
  ['signals=neu_registriert', { signals: ['neu_registriert'] }],
  ['bbox=8.9,48.70,9.4,49&umkreis=9.19,48.9,10', { bbox: '8.9,48.7,9.4,49.0', umkreis: '9.19,48.9,10' }],
  [
    'polygon={"coordinates":[[[9,48],[10,48.0],[10,49],[9,48]]],"type":"Polygon"}',
    {
      polygon: {
        type: 'MultiPolygon',
        coordinates: [
          [
            [
              [9, 48],
              [10, 48],
              [10, 49],
              [9, 48],
            ],
          ],
        ],
      },
    },
  ],
])('%s means the same in a body', (query, body) => {
  const fromBody = filterConditions(inBody.parse(body));
  expect(fromBody).toEqual(filterConditions(inQuery.parse(Object.fromEntries(new URLSearchParams(query)))));
  expect(fromBody).toHaveLength(Object.keys(body).length);
});

test.each([
  [{ einheitTyp: 'wind' }],
  [{ einheitTyp: [] }],
  [{ einheitTyp: [''] }],
  [{ einheitTyp: ['wind', 1] }],
  [{ einheitTyp: null }],
  [{ bundesland: ['\ud800'] }],
  [{ landkreis: 'a\0b' }],
  [{ hatKoordinaten: 'true' }],
  [{ leistungMinKw: '1' }],
  [{ leistungMinKw: 1e300 }],
  [{ leistungMinKw: 1e-20 }],
  [{ inbetriebnahmeVon: '2024-02-30' }],
  [{ inbetriebnahmeVon: '2024-02-29T00:00:00Z' }],
  [{ suche: ' ' }],
])('refused in a body: %j', (body) => {
  expect(inBody.safeParse(body).success).toBe(false);
});
