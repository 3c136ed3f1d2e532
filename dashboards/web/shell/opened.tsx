import type { ComponentChildren } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { type Parameters, useNavigation } from '../address/address.ts';
import { faultsOf } from '../address/link-faults.ts';
import { CHOSEN_LANGUAGE } from '../format/language.ts';
import { LinkRefused } from '../frame/link-refused.tsx';
import { Page } from '../frame/page.tsx';
import { Waiting } from '../frame/state.tsx';
import { type NamedPlace, useUnknownPlaces } from '../regions/known-places.ts';
import { LEVELS, regionText } from '../regions/region.ts';
import { Awaited } from './awaited.tsx';

/**
 * Draws a page once its link is known to be one that the page can follow: parameters that it knows, with values that it can
 * read, and places that there are.
 * @param choices null = the page finds that out by itself
 * @param mayHaveMore true: so does it for parameters that are no choices
 */
export function Opened({
  name,
  choices,
  mayHaveMore,
  children,
}: {
  name: string;
  choices: Parameters | null;
  mayHaveMore: boolean;
  children: ComponentChildren;
}) {
  const { address } = useNavigation();
  const faults = useMemo(() => {
    if (choices === null) return [];
    const all = faultsOf(address.query, choices);
    return mayHaveMore
      ? all.filter(({ name: parameter }) => parameter === CHOSEN_LANGUAGE || Object.hasOwn(choices, parameter))
      : all;
  }, [address, choices, mayHaveMore]);
  const places = useMemo(() => (choices === null ? [] : placesIn(address.query, choices)), [address, choices]);
  const unknown = useUnknownPlaces(faults.length === 0 ? places : []);
  // A place that is chosen on an open page was found there: the page stays while it is looked up once more.
  const isOpen = useRef(false);
  const refused = faults.length > 0 ? faults : unknown.state === 'ready' ? unknown.value : [];
  if (refused.length > 0) {
    isOpen.current = false;
    return (
      <Page title={name}>
        <LinkRefused faults={refused} />
      </Page>
    );
  }
  if (unknown.state === 'loading' && !isOpen.current) {
    return (
      <Awaited name={name}>
        <Waiting loaded={unknown} height={400} />
      </Awaited>
    );
  }
  isOpen.current = true;
  return <>{children}</>;
}

/** The places that parameters name; those that cannot be read name none. */
const placesIn = (query: URLSearchParams, choices: Parameters): readonly NamedPlace[] =>
  Object.entries(choices).flatMap(([parameter, { places, read }]) => {
    const text = query.get(parameter);
    const value = text === null ? undefined : read(text);
    if (places === undefined || value === undefined) return [];
    const named = places(value);
    return named.flatMap(({ level, value: name }) => {
      const known = LEVELS.find((one) => one === level);
      if (known === undefined) return [];
      const place = { level: known, value: name };
      // A parameter of several places is at fault by one of them; one of its own level has no word for that.
      const written = text?.includes(regionText(place)) ? regionText(place) : (text ?? '');
      return [{ parameter, place, written }];
    });
  });
