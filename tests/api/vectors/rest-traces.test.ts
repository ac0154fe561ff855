// Every row of rest-traces.json against the running service: sorts, session filter and paging of the trace list.

import { beforeAll, expect, test } from "bun:test";
import { DATASET_PROJECT, exportTo, sendDataset } from "../../support/dataset.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { openService } from "../../support/server.ts";
import { openForSuite } from "../../support/suite.ts";
import recorded from "../../vectors/rest-traces.json" with { type: "json" };

interface Row {
  readonly query: string;
  readonly expect: { readonly traces?: readonly number[]; readonly pages?: readonly (readonly number[])[] };
}
interface Page {
  readonly data: readonly { readonly trace_id: string }[];
  readonly next_cursor: string | null;
}

const rows = recorded.vectors as unknown as readonly Row[];
/** More than any row has, so that a cursor without end fails instead of lasting. */
const MOST_PAGES = 20;

forEachDriver("rest-traces", (driver) => {
  const suite = openForSuite(async () => openService(await driver.createDatabase()), 60_000);
  beforeAll(() => sendDataset(exportTo(suite.client)));

  const getPage = async (query: string, cursor: string | null) => {
    const more = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const answer = await suite.client.get(`/v1/projects/${DATASET_PROJECT}/traces?${query}${more}`);
    expect(answer.status).toBe(200);
    return answer.json<Page>();
  };
  const lastBytes = ({ data }: Page) => data.map(({ trace_id }) => Number.parseInt(trace_id.slice(-2), 16));

  for (const row of rows) {
    test(`${row.query} ${row.expect.pages === undefined ? "" : "page by page"}`, async () => {
      let page = await getPage(row.query, null);
      const pages = [lastBytes(page)];
      if (row.expect.traces !== undefined) {
        expect(pages[0]).toEqual([...row.expect.traces]);
        return;
      }
      while (page.next_cursor !== null && pages.length < MOST_PAGES) {
        page = await getPage(row.query, page.next_cursor);
        pages.push(lastBytes(page));
      }
      expect(pages).toEqual(row.expect.pages!.map((each) => [...each]));
    });
  }
});
