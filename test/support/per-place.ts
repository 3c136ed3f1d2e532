/** Takes figures by inhabitants and area out of an answer, for tests of everything else. */
export function withoutPerPlace<Json>(json: Json): Json {
  if (Array.isArray(json)) return json.map(withoutPerPlace) as Json;
  if (typeof json !== 'object' || json === null) return json;
  const others = Object.entries(json).filter(([name]) => !PER_PLACE.test(name));
  return Object.fromEntries(others.map(([name, value]) => [name, withoutPerPlace(value)])) as Json;
}

const PER_PLACE = /^(einwohner|flaecheKm2|bezug)$|Je(1000Einwohner|Km2)$/;
