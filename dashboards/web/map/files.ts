import states from 'boundaries/bundeslaender.json';
import municipalities from 'boundaries/gemeinden.json';
import districts from 'boundaries/landkreise.json';
import type { MapLevel } from './level.ts';

const ADDRESSES: Readonly<Record<MapLevel, string>> = {
  bundesland: states,
  landkreis: districts,
  gemeinde: municipalities,
};

/** Gives the address of the boundaries of a level: beside this script. */
export const fileOf = (level: MapLevel): URL => new URL(ADDRESSES[level], import.meta.url);
