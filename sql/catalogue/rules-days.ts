import type { Rule } from './rule.ts';

/** Rules about days and the operating status. Measured on 22,968 units of the register, export of 2026-08-22. */

export const DAY_RULES = {
  in_betrieb_ab_zukunft: {
    bit: 21,
    name: 'In Betrieb, Inbetriebnahme in der Zukunft',
    description: 'Als in Betrieb geführt, die Inbetriebnahme liegt aber nach dem Tag des Exports',
    english: 'Listed as in operation, yet commissioned after the day of the export',
    severity: 'fehler',
    fields: ['betriebsStatus', 'inbetriebnahmedatum'],
    bounds: {},
    condition: 'statusId = 35 AND inbetriebnahmedatum > $day',
    source: 'Widerspruch zweier Angaben',
  },
  in_betrieb_mit_ende: {
    bit: 22,
    name: 'In Betrieb trotz Stilllegungstag',
    description: 'Als in Betrieb geführt, der Tag der endgültigen Stilllegung ist aber vorbei',
    english: 'Listed as in operation, yet the day of final decommissioning has passed',
    severity: 'fehler',
    fields: ['betriebsStatus', 'stilllegungsdatum'],
    bounds: {},
    condition: 'statusId = 35 AND stilllegungsdatum <= $day',
    source: 'Widerspruch zweier Angaben',
  },
  in_planung_mit_inbetriebnahme: {
    bit: 23,
    name: 'In Planung mit Inbetriebnahmetag',
    description: 'Als in Planung geführt, der Tag der Inbetriebnahme ist aber vorbei',
    english: 'Listed as planned, yet the day of commissioning has passed',
    severity: 'warnung',
    fields: ['betriebsStatus', 'inbetriebnahmedatum'],
    bounds: {},
    condition: 'statusId = 31 AND inbetriebnahmedatum <= $day',
    source: 'Widerspruch zweier Angaben',
  },
  ende_vor_beginn: {
    bit: 24,
    name: 'Stilllegung vor Inbetriebnahme',
    description: 'Der Tag der endgültigen Stilllegung liegt vor dem der Inbetriebnahme',
    english: 'The day of final decommissioning lies before that of commissioning',
    severity: 'fehler',
    fields: ['inbetriebnahmedatum', 'stilllegungsdatum'],
    bounds: {},
    condition: 'stilllegungsdatum < inbetriebnahmedatum',
    source: 'Widerspruch zweier Angaben; derselbe Tag ist erlaubt',
  },
  inbetriebnahme_vor_technik: {
    bit: 25,
    name: 'Inbetriebnahme vor den ersten Anlagen dieser Art',
    description: 'Eine Solar- oder Windenergieanlage oder ein Batteriespeicher, vor $jahr in Betrieb genommen',
    english: 'A solar plant, a wind turbine or a battery, commissioned before $jahr',
    severity: 'warnung',
    fields: ['inbetriebnahmedatum'],
    bounds: { jahr: 1980 },
    condition: `inbetriebnahmedatum < make_date($jahr, 1, 1)
      AND (einheitTyp IN ('solar', 'wind') OR (einheitTyp = 'storage' AND technologieId = 524))`,
    source: 'Gemessen: die ältesten glaubhaften von 1983 (Wind), 1993 (Solar) und 2002 (Batterie)',
  },
} as const satisfies Readonly<Record<string, Rule>>;
