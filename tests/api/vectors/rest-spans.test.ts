// Every row of rest-spans.json against the running service: both forms of the span list over the shared data set.

import { beforeAll, describe, expect, test } from "bun:test";
import { DATASET_PROJECT, exportTo, sendDataset } from "../../support/dataset.ts";
import { forEachDriver } from "../../support/drivers.ts";
import type { HttpAnswer } from "../../support/http.ts";
import { openService } from "../../support/server.ts";
import { openForSuite } from "../../support/suite.ts";
import recorded from "../../vectors/rest-spans.json" with { type: "json" };

interface Row {
  readonly query: string;
  readonly otlpv1?: { readonly ignores: string };
  readonly expect: {
    readonly status: number;
    readonly names?: readonly string[];
    readonly body?: "json" | "text";
    readonly detail?: { readonly type: string; readonly loc: readonly (string | number)[] };
  };
}
interface Page {
  readonly data: readonly { readonly name: string }[];
}

const rows = recorded.vectors as unknown as readonly Row[];

function pathOf(form: string, query: string): string {
  const limited = /(^|&)limit=/.test(query) ? query : `${query}&limit=1000`;
  return `/v1/projects/${DATASET_PROJECT}/${form}?${limited}`;
}

function checkRefusal(answer: HttpAnswer, { status, body, detail }: Row["expect"]): void {
  expect(answer.status).toBe(status);
  expect(answer.headers.get("content-type")).toBe(body === "json" ? "application/json" : "text/plain; charset=utf-8");
  if (detail === undefined) return;
  const violations = answer.json<{ detail: { type: string; loc: (string | number)[] }[] }>().detail;
  expect(violations.map(({ type, loc }) => ({ type, loc }))).toEqual([{ type: detail.type, loc: [...detail.loc] }]);
}

forEachDriver("rest-spans", (driver) => {
  const suite = openForSuite(async () => openService(await driver.createDatabase()), 60_000);
  beforeAll(() => sendDataset(exportTo(suite.client)));

  for (const row of rows) {
    describe(decodeURIComponent(row.query), () => {
      test("as a list of spans", async () => {
        const answer = await suite.client.get(pathOf("spans", row.query));
        if (row.expect.names === undefined) checkRefusal(answer, row.expect);
        else expect(answer.json<Page>().data.map(({ name }) => name)).toEqual([...row.expect.names]);
      });

      test("in the form of OTLP", async () => {
        const answer = await suite.client.get(pathOf("spans/otlpv1", row.query));
        if (row.otlpv1 !== undefined) {
          const others = row.query.split("&").filter((part) => !part.startsWith(`${row.otlpv1!.ignores}=`));
          const without = await suite.client.get(pathOf("spans/otlpv1", others.join("&")));
          expect([answer.status, answer.text]).toEqual([200, without.text]);
        } else if (row.expect.names === undefined) checkRefusal(answer, row.expect);
        else expect(answer.json<Page>().data.map(({ name }) => name)).toEqual([...row.expect.names]);
      });
    });
  }
});
