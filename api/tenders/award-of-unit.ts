import { z } from 'zod';
import { TECHNOLOGY_NAMES } from './technologies.ts';

/** An award of a unit, as `include=ausschreibungen` shows it. */
export const awardOfUnit = z
  .strictObject({
    gebotsterminId: z.int().nullable().describe('Id in GET /v1/ausschreibungen; null: the number names no round'),
    technologie: z.enum(TECHNOLOGY_NAMES).nullable(),
    datum: z.iso.date().nullable().describe('Bid date'),
    zuschlagsnummer: z.string().nullable(),
    gebotsmengeKw: z
      .number()
      .nullable()
      .describe('Awarded volume (kW): the part of this plant where the register says it'),
    zuordnung: z
      .enum(['register', 'abgleich'])
      .describe('Origin of the link: the register names the award, or it was matched with an award list'),
    regel: z.enum(['registernummer', 'see_nummer', 'eeg_nummer', 'flurstueck']).describe('What the link was found by'),
    sicherheit: z.enum(['sicher', 'wahrscheinlich']).describe('How sure the link is'),
  })
  .meta({ id: 'AwardOfUnit' });
