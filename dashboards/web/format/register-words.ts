import { say } from './language.ts';

/** Words of the register that stand on many pages, in English; of others the German is better than a guess. */
const ENGLISH: Readonly<Record<string, string>> = {
  'In Betrieb': 'In operation',
  'In Planung': 'Planned',
  'Vorübergehend stillgelegt': 'Temporarily shut down',
  'Endgültig stillgelegt': 'Finally decommissioned',
  Volleinspeisung: 'Full feed-in',
  'Teileinspeisung (einschließlich Eigenverbrauch)': 'Partial feed-in (with own consumption)',
  Solareinheit: 'Solar',
  'Solare Strahlungsenergie': 'Solar radiation',
  Stromspeichereinheit: 'Storage',
  Speicher: 'Storage',
  Biomasse: 'Biomass',
  Wasser: 'Hydro',
  Wind: 'Wind',
  Erdgas: 'Natural gas',
  Mineralölprodukte: 'Mineral oil products',
  Steinkohle: 'Hard coal',
  Braunkohle: 'Lignite',
  Batterie: 'Battery',
  Pumpspeicher: 'Pumped storage',
  'Lithium-Batterie': 'Lithium battery',
  'Windkraft an Land': 'Wind on land',
  'Windkraft auf See': 'Wind at sea',
  Geprüft: 'Checked',
  'In Prüfung': 'Being checked',
  heim: 'home',
  gewerbe: 'commercial',
  gross: 'large',
  pumpspeicher: 'pumped storage',
  exakt: 'exact',
  ja: 'yes',
  nein: 'no',
};

/** A value of the register, or of a closed list, as people write it. */
export const registerWord = (value: string): string => say(value, ENGLISH[value] ?? value);
