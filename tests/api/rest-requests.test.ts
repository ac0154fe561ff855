// Requests recorded from the reference server, for every route built so far, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { openTestApi, send, type TestApi } from "../support/api.ts";
import { exportInto, sendDataset } from "../support/dataset.ts";
import { declaredModules } from "../support/declared-routes.ts";
import { forEachDriver } from "../support/drivers.ts";
import { openForSuite } from "../support/suite.ts";
import recorded from "../vectors/rest-requests.json" with { type: "json" };

interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Any sensible answer passes. */
  readonly free?: string;
  readonly expect: {
    readonly status: number;
    readonly body?: "json" | "text";
    readonly details?: readonly { readonly type: string; readonly loc: readonly (string | number)[] }[];
  };
}

const built = declaredModules()
  .flatMap((module) => module.routes)
  .map(({ method, path }) => ({ method, pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`) }));

/** A row is asked as soon as a route has its path: with its method, or to refuse the method. */
function isBuilt({ method, path, expect: { status } }: Recorded): boolean {
  const [below] = path.split("?", 1);
  return built.some((route) => route.pattern.test(below!) && (status === 405 || route.method === method));
}

const rows = (recorded.vectors as unknown as readonly Recorded[]).filter(isBuilt);

async function ask(api: TestApi, { method, path, json, body, headers }: Recorded): Promise<Response> {
  const request = { ...(json === undefined ? {} : { json }), ...(headers === undefined ? {} : { headers }) };
  // As bytes, so that no media type is added to those that were recorded.
  const raw = body === undefined ? {} : { body: new TextEncoder().encode(body) };
  return send(api.server, `${method} ${path}`, { ...request, ...raw });
}

forEachDriver("recorded requests", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await sendDataset(exportInto(api));
  });

  for (const [position, row] of rows.entries()) {
    const sent = row.json === undefined ? (row.body ?? "") : JSON.stringify(row.json);
    test(`${position}: ${row.method} ${row.path} ${sent.slice(0, 100)}`, async () => {
      const response = await ask(api, row);
      const text = await response.text();
      if (row.free !== undefined) {
        expect(response.status).toBeLessThan(500);
        return;
      }
      expect({ status: response.status, text }).toEqual({ status: row.expect.status, text });
      const media = response.headers.get("content-type") ?? "";
      // rest-traces Q9: the refusal of a batch of spans is a JSON document and says so.
      const isRefusedBatch = row.expect.status === 400 && row.path.endsWith("/spans");
      if (row.expect.body === "json" || isRefusedBatch) expect(media).toBe("application/json");
      else if (row.expect.body === "text") expect(media).toBe("text/plain; charset=utf-8");
      if (row.expect.details !== undefined) {
        const { detail } = JSON.parse(text) as { detail: { type: string; loc: (string | number)[] }[] };
        expect(detail.map(({ type, loc }) => ({ type, loc }))).toEqual(
          row.expect.details.map(({ type, loc }) => ({ type, loc: [...loc] })),
        );
      }
    });
  }

  test("there are rows for every module built", () => {
    expect(rows.length).toBeGreaterThan(30);
  });
});
