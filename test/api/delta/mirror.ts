import { expect } from 'vitest';
import { expectEqual } from '../../support/equal.ts';
import type { ServiceResponse, Subject } from '../../support/service.ts';

/** A client that mirrors a query: by one full read, and from then on by deltas only. */

interface Unit {
  readonly mastrNummer: string;
  readonly geloescht?: true;
}

/** Every block, so that mirrors are compared in all fields. */
const EVERYTHING = 'include=standort,betreiber,termine,register,netz,genehmigung,technik';

/** The service requires the client to begin again. */
export class AnchorRefused extends Error {}

export class Mirror {
  readonly filters: string;
  readonly units = new Map<string, Unit>();
  /** `meta.sync.token` of the last read. */
  token: string | null = null;
  /** Rows of the last read. */
  rows: Unit[] = [];

  constructor(filters: string) {
    this.filters = filters;
  }

  /** Reads a delta, or everything when there is no token. `between` runs after the first page. */
  async follow(service: Subject, { page = 250, sort = '', between = async () => {}, anchor = this.anchor } = {}) {
    const query = [EVERYTHING, this.filters, anchor, `limit=${page}`, sort && `sort=${sort}`].filter(Boolean).join('&');
    if (anchor === '') this.units.clear();
    this.rows = [];
    let response = await this.read(service, query);
    await between();
    while (response.json.meta.page.hasMore) {
      expect(response.json.meta.sync).toBeUndefined();
      response = await this.read(service, `${query}&cursor=${encodeURIComponent(response.json.meta.page.cursor)}`);
    }
    this.token = response.json.meta.sync.token;
    return response;
  }

  private get anchor(): string {
    return this.token === null ? '' : `syncToken=${encodeURIComponent(this.token)}`;
  }

  private async read(service: Subject, query: string): Promise<ServiceResponse> {
    const response = await service.get(`/v1/units?${query}`);
    if (response.status === 410) throw new AnchorRefused(response.json.detail);
    expect([response.status, response.json.code]).toEqual([200, undefined]);
    for (const unit of response.json.data as Unit[]) {
      this.rows.push(unit);
      if (unit.geloescht === true) this.units.delete(unit.mastrNummer);
      else this.units.set(unit.mastrNummer, unit);
    }
    return response;
  }

  /** Compares the mirror with a full read. */
  async mustBeWhole(service: Subject): Promise<void> {
    const whole = new Mirror(this.filters);
    await whole.follow(service);
    expectEqual([...this.units.keys()].sort(), [...whole.units.keys()].sort());
    for (const [number, unit] of whole.units) expectEqual(this.units.get(number), unit);
  }
}
