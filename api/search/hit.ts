import { z } from 'zod';
import { CARRIERS } from '../../sql/catalogue/carriers.ts';

/** Search hit of interface.md: a market actor or a unit. */
export const hitShape = z
  .strictObject({
    typ: z.enum(['marktakteur', 'anlage']),
    id: z.string().describe('MaStR number'),
    name: z.string().nullable(),
    beschreibung: z.string().nullable().describe('Market function of an actor, operator of a unit'),
    ort: z.string().nullable(),
    bundesland: z.string().nullable(),
    latitude: z.number().nullable().describe('WGS 84 (°); null below 30 kW and for actors'),
    longitude: z.number().nullable().describe('WGS 84 (°); null below 30 kW and for actors'),
    einheitTyp: z.enum(CARRIERS).nullable().optional().describe('Only of a unit'),
    bruttoleistungKw: z.number().nullable().optional().describe('Only of a unit: gross capacity (kW)'),
    anlagenAnzahl: z.int().optional().describe('Only of an actor: units that name the actor as their operator'),
    links: z.strictObject({ self: z.url().optional(), units: z.url().optional() }),
  })
  .meta({ id: 'SearchHit' });

export type Hit = z.infer<typeof hitShape>;

/**
 * Rank of a match: 0 the number itself, 1 the beginning of the name, 2 of a word, 3 anywhere; 4 to 6 the same as 1 to 3,
 * for an actor without units.
 */
const matchRank = z.int();

/** A unit or an actor that matches, with its rank. */
export interface Match {
  readonly matchRank: number;
}

/** The fields of a unit that a hit shows. */
export const foundUnit = z.strictObject({
  mastrNummer: z.string(),
  name: z.string().nullable(),
  betreiberName: z.string().nullable(),
  ort: z.string().nullable(),
  bundesland: z.string().nullable(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  einheitTyp: z.enum(CARRIERS),
  bruttoleistungKw: z.number().nullable(),
});

export type FoundUnit = z.infer<typeof foundUnit>;

/** A row of actors.sql. */
export const actorMatch = z.strictObject({
  matchRank,
  mastrNummer: z.string(),
  name: z.string().nullable(),
  marktfunktion: z.string().nullable(),
  ort: z.string().nullable(),
  bundesland: z.string().nullable(),
  anlagenAnzahl: z.int(),
});

export type ActorMatch = z.infer<typeof actorMatch>;

/** A row of names.sql: a unit, by the digits of its number. */
export const nameMatch = z.strictObject({ matchRank, digits: z.number() });

export const hitOfUnit = (unit: FoundUnit, baseUrl: string): Hit => ({
  typ: 'anlage',
  id: unit.mastrNummer,
  name: unit.name,
  beschreibung: unit.betreiberName,
  ort: unit.ort,
  bundesland: unit.bundesland,
  latitude: unit.latitude,
  longitude: unit.longitude,
  einheitTyp: unit.einheitTyp,
  bruttoleistungKw: unit.bruttoleistungKw,
  links: { self: `${baseUrl}/v1/units/${unit.mastrNummer}` },
});

/** The units of an actor are linked by its number, as names are not unique. */
export const hitOfActor = (actor: ActorMatch, baseUrl: string): Hit => ({
  typ: 'marktakteur',
  id: actor.mastrNummer,
  name: actor.name,
  beschreibung: actor.marktfunktion,
  ort: actor.ort,
  bundesland: actor.bundesland,
  latitude: null,
  longitude: null,
  anlagenAnzahl: actor.anlagenAnzahl,
  links: { units: `${baseUrl}/v1/units?betreiberMastrNummer=${actor.mastrNummer}` },
});
