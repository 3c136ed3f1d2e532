import { TECHNOLOGIES, type Technology } from '../../sql/tenders/technologies.ts';

/** The technologies that are put out to tender: the values of `technologie`. */
export const TECHNOLOGY_NAMES = Object.keys(TECHNOLOGIES) as readonly Technology[];
