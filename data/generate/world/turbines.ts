/** Wind turbine models as registered: makers (catalogue ids), names in their many spellings, sizes. */

import { itemAt } from '../../../runtime/present.ts';
import { bits, pick, roll } from './random.ts';
import { date } from './text.ts';

export interface WindModel {
  /** Catalogue id of the manufacturer. */
  readonly maker: number;
  readonly names: readonly string[];
  readonly kilowatts: number;
  /** Metres. */
  readonly rotor: number;
  readonly hubs: readonly number[];
  /** Years in which it was put up. */
  readonly from: number;
  readonly to: number;
}

function model(
  maker: number,
  names: string,
  kilowatts: number,
  rotor: number,
  hubs: readonly number[],
  from: number,
  to: number,
): WindModel {
  return { maker, names: names.split('|'), kilowatts, rotor, hubs, from, to };
}

const LAND: readonly WindModel[] = [
  model(2889, 'AN Bonus 300/33|Bonus 300', 300, 33.4, [40], 1980, 1996),
  model(1654, 'TW 600|Tacke TW600', 600, 43, [50, 60], 1992, 1999),
  model(1586, 'E-40|E40|ENERCON E-40/5.40', 500, 40.3, [42, 50, 65], 1993, 2002),
  model(1586, 'E-66|E 66|E-66/18.70', 1800, 70, [65, 86, 98], 1998, 2006),
  model(1660, 'V47|Vestas V47|V 47 660', 660, 47, [55, 65, 76], 1997, 2003),
  model(1660, 'V80|V80-2.0|Vestas V80', 2000, 80, [67, 78, 100], 2000, 2010),
  model(1660, 'V90|V90 2,0 MW|Vestas V90-2.0MW', 2000, 90, [95, 105, 125], 2004, 2014),
  model(1627, 'S77|Nordex S77', 1500, 77, [85, 96.5, 100], 2001, 2009),
  model(2888, 'MM92|REpower MM92|MM 92', 2050, 92.5, [80, 100], 2006, 2016),
  model(1597, 'GE 1.5sl|GE1.5|1.5 SL', 1500, 77, [85, 100], 2001, 2009),
  model(1586, 'E-70 E4|E70|E-70', 2300, 71, [64, 85, 98, 113], 2005, 2014),
  model(1586, 'E-82|E-82 E2|E82', 2300, 82, [85, 98, 108.4, 138.4], 2007, 2017),
  model(1586, 'E-101|E 101', 3050, 101, [99, 135.4, 149], 2012, 2018),
  model(1586, 'E-115|E115|E-115 E2', 3000, 115.7, [92, 135, 149], 2014, 2020),
  model(1627, 'N117/2400|N117|Nordex N117', 2400, 117, [91, 120, 141], 2012, 2018),
  model(1645, '3.2M114|Senvion 3.2M114', 3200, 114, [93, 123, 143], 2014, 2019),
  model(1660, 'V112|V112-3.3MW|Vestas V112', 3300, 112, [94, 119, 140], 2013, 2018),
  model(1660, 'V126|V126-3.45', 3450, 126, [117, 137, 149], 2015, 2021),
  model(1586, 'E-138 EP3|E-138 EP3 E2|E138', 4200, 138.3, [111, 131, 160], 2019, 2030),
  model(1660, 'V150|V150-4.2|V150-5.6 MW', 5600, 150, [125, 148, 169], 2020, 2032),
  model(1628, 'N149/5.X|N149|Nordex N149/4.0-4.5', 5700, 149.1, [125.4, 164], 2020, 2032),
  model(1660, 'V162|V162-6.2|V162-7.2 MW', 6200, 162, [119, 169], 2022, 2040),
  model(1001682, 'N163/6.X|N163|Nordex N163/6.8', 6800, 163, [118, 164], 2022, 2040),
  model(1586, 'E-160 EP5 E3|E-160|E160 EP5', 5560, 160, [119.8, 166.6], 2022, 2040),
  model(1586, 'E-175 EP5|E-175', 6000, 175, [112.5, 162], 2025, 2040),
];

const SEA: readonly WindModel[] = [
  model(1646, 'SWT-3.6-120|SWT 3.6', 3600, 120, [87, 90], 1980, 2015),
  model(1572, 'AD 5-116|M5000-116', 5000, 116, [90, 92], 2009, 2017),
  model(1646, 'SWT-6.0-154|SWT-7.0-154', 6264, 154, [102, 105], 2014, 2021),
  model(2929, 'V164-8.0|V164', 8400, 164, [105], 2016, 2022),
  model(1001679, 'SG 8.0-167 DD|SG 11.0-200 DD', 11_000, 200, [125], 2021, 2030),
  model(1660, 'V236-15.0 MW|V236', 15_000, 236, [142], 2025, 2045),
];

/** Model of a wind farm: one that was on the market in the year of commissioning. */
export function modelFor(siteBase: number, commissioned: number, sea: boolean): WindModel {
  const year =
    commissioned > date(1985) && commissioned < date(2040)
      ? new Date(commissioned * 86_400_000).getUTCFullYear()
      : 2010;
  const models = sea ? SEA : LAND;
  const sold = models.filter(({ from, to }) => year >= from && year <= to);
  return sold.length > 0 ? pick(siteBase, 70, sold) : itemAt(models, bits(siteBase, 70) % models.length);
}

/** Makers of small turbines (catalogue ids). */
export function smallMaker(base: number): number {
  return roll(base, 71) < 0.05 ? 2999 : pick(base, 72, [1585, 1612, 1619, 1634, 2902, 2554, 1587]);
}
