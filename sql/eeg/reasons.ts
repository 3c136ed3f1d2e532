/**
 * Why a support value is missing or is no more than an estimate. The order is that of the checks: of several reasons
 * against a value the first one counts, with those that begin or end of support rest on; of reasons for an estimate all do. The place in the list is a bit of the sums
 * in the SQL files, which name a reason as `{{code}}`.
 */
interface Reason {
  readonly code: string;
  readonly leadsTo: 'nicht_ableitbar' | 'geschaetzt';
  /** True for a doubt about begin or end of support, which a plant without a value has, too. */
  readonly ofDays: boolean;
  /** For the operator's explanation of a value. */
  readonly meaning: string;
}

const against = (code: string, meaning: string): Reason => ({
  code,
  leadsTo: 'nicht_ableitbar',
  ofDays: false,
  meaning,
});
const doubt = (code: string, meaning: string): Reason => ({ code, leadsTo: 'geschaetzt', ofDays: false, meaning });
const doubtOfDays = (code: string, meaning: string): Reason => ({ ...doubt(code, meaning), ofDays: true });

export const REASONS: readonly Reason[] = [
  against('anderer_energietraeger', 'The EEG plant that the unit names is of another energy carrier.'),
  against('kein_eeg_anspruch', 'There is no claim under the EEG for this energy carrier.'),
  against('keine_zahlung', 'Payments under the EEG are not claimed.'),
  against('nicht_in_betrieb', 'The plant is not in operation and has no award.'),
  against('leistung_fehlt', 'The installed capacity is missing or impossible.'),
  against('datum_fehlt', 'The commissioning day is missing or impossible.'),
  against('lage_fehlt', 'The kind of solar plant is missing.'),
  against('zuschlag_fehlt', 'The plant needs an award, and neither the register nor an award list has one.'),
  against('seewind_ausschreibung', 'The award value of the offshore wind farm is not known.'),
  against('feste_praemie', 'The innovation tender gave a fixed premium on top of the market price.'),
  against('kwk_anlage', 'The plant is supported under the law on combined heat and power (KWKG).'),
  against('biomasse_vor_2014_08', 'The bonuses of biomass before August 2014 are not in the register.'),
  against('rundenwert_fehlt', 'No mean value is known of the round of an award of the plant.'),
  against('foerderung_beendet', 'The support has ended.'),
  against(
    'leistung_davor_fehlt',
    'The capacity of an earlier plant that counts as one with it is missing or impossible.',
  ),
  against('keine_rate', 'The rate table has no line for day, kind and capacity.'),
  doubt('gebotspreis', 'Values of single bids are not published; the mean value of the round stands in.'),
  doubt('zuschlag_spaet', 'More than 18 months lie between announcement and commissioning: 0.3 ct may be deducted.'),
  doubt('flurstueck_abweichend', 'The parcels of list and register do not overlap: 0.3 ct may be deducted.'),
  doubt('mehrere_zuschlaege', 'The plant has several awards.'),
  doubtOfDays('umstellung_angenommen', 'The month of the change into the follow-up support is assumed.'),
  doubt('zuschlag_unbelegt', 'The register mentions an award without a number, which the plant does not need.'),
  doubt('in_planung', 'The plant is not in operation yet.'),
  doubt('rate_unsicher', 'A line of the rate table is from a source that does not suffice for an exact value.'),
  doubt('fremdes_datum', 'The EEG plant has no commissioning day; that of the unit that stands for it counts.'),
  doubt('einheiten_verschieden', 'The units of the plant differ in day, kind or fuel; one stands for the others.'),
  doubt('uebergangsregel', 'A transition rule of the law may apply.'),
  doubt('mehrere_anlagen', 'The plant counts as one with earlier plants at the location or on the parcel.'),
  doubt('bemessungsleistung', 'The mean output over a year (Bemessungsleistung) is assumed.'),
  doubt('brennstoff_unsicher', 'The class of fuel is not certain from the register.'),
  doubt('bonus_unbekannt', 'A bonus that is not in the register may change the rate.'),
  doubt('teilmenge', 'The rate holds for a part of the energy only.'),
  doubt('gebaeude_aussenbereich', 'A building that is not for housing may have the lower rate outside of villages.'),
  doubt('konversionsflaeche', 'Whether the plant stands on converted land is not known.'),
  doubt('wasserkraft_ertuechtigt', 'The hydro plant was upgraded.'),
  doubt(
    'einspeisungsart_fehlt',
    'The kind of feed-in is missing or differs between units; partial feed-in is assumed.',
  ),
  doubt('buergerenergie', 'The value follows from the highest bids of the year before.'),
  doubt('standortertrag', 'The yield of the site is not measured.'),
  doubt('seewind', 'Distance, depth of water and model of the offshore wind farm are not completely known.'),
  doubtOfDays(
    'bekanntgabe_angenommen',
    'The day on which the award was announced is not known: two months after the bid date stand in.',
  ),
];

/** The bit of each reason as the piece of SQL that stands for its code. */
export const REASON_BITS: Readonly<Record<string, string>> = Object.fromEntries(
  REASONS.map(({ code }, bit) => [code, String(2 ** bit)]),
);
