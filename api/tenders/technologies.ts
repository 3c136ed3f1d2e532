import { TECHNOLOGIES, type Technology } from '../../sql/tenders/technologies.ts';

/** What is put out to tender: the values of `technologie`. */
export const TECHNOLOGY_NAMES = Object.keys(TECHNOLOGIES) as readonly Technology[];
