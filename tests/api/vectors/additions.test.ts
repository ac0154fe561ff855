// The groups of additions.json about traces, sessions, spans, cursors, the full intake and the deletion of a period, on both
// databases. The price model of their setup comes with that part, the annotations are stored as rows.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { fail } from "../../../src/kernel/failure.ts";
import { openTestApi, send, type TestApi } from "../../support/api.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { additionData, storeAnnotations } from "../../support/filter-data.ts";
import recorded from "../../vectors/additions.json" with { type: "json" };

type QueryValue = string | readonly string[];
interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly body?: unknown;
}
interface Row {
  readonly request: Asked;
  readonly state?: "locked" | "full";
  readonly expect: {
    readonly status?: number;
    readonly header?: string;
    readonly body?: Readonly<Record<string, unknown>>;
    readonly detail?: readonly { readonly type: string; readonly loc: readonly string[] }[];
    readonly take?: string;
    readonly pages?: readonly unknown[];
  };
}

const groups = recorded.groups as unknown as readonly { group: string; vectors: readonly Row[] }[];
const setup = recorded.setup as unknown as readonly Asked[];
const rowsOf = (group: string) => groups.find((each) => each.group === group)!.vectors;
const PATHS =
  /^\/v1\/(users|projects|projects\/[^/]+(\/(traces|sessions|spans|spans\/otlpv1))?|sessions\/[^/]+|datasets\/[^/{]+\/splits)$/;

function lineOf({ method, path, query = {} }: Asked): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of typeof value === "string" ? [value] : value) parameters.append(name, each);
  }
  const search = parameters.size === 0 ? "" : `?${parameters.toString().replaceAll(" ", "%20")}`;
  return `${method} ${path}${search}`;
}

/** The value at `a.b`, `a[].b` (that member of every element) or `a.0.b`. */
function valueAt(value: unknown, place: string): unknown {
  let found = [value];
  let isList = false;
  for (const step of place.split(".")) {
    const name = step.replace(/\[\]$/, "");
    found = found.map((each) => (each as Record<string, unknown>)[name]);
    if (step.endsWith("[]")) {
      found = found.flat();
      isList = true;
    }
  }
  return isList ? found : found[0];
}

/** Of a condition given twice the last one counts. */
function conditionOf({ request }: Row): string {
  return [request.query?.filter ?? ""].flat().at(-1) ?? "";
}

/** All 0 without price models, which are not built yet. */
const COSTS = /cost/;

forEachDriver("additions", (driver) => {
  let api: TestApi;
  let state: Row["state"];
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase(), {
      isStorageLocked: () => state === "locked",
      requireCapacity: () => {
        if (state === "full") throw fail("ingest.full", "unavailable", "Server is at capacity");
      },
    });
    for (const request of setup.filter(({ path }) => path === "/v1/projects/additions/spans")) {
      const answer = await send(api.server, lineOf(request), { json: request.body });
      if (answer.status !== 202) throw new Error(`${request.path} was answered with ${await answer.text()}`);
    }
    await storeAnnotations(api.stored, additionData.annotations);
  });
  afterAll(() => api.close());

  async function ask(request: Asked): Promise<{ answer: Response; text: string }> {
    const answer = await send(api.server, lineOf(request), request.body === undefined ? {} : { json: request.body });
    return { answer, text: await answer.text() };
  }

  async function checkPages({ request, expect: expected }: Row): Promise<void> {
    const pages: unknown[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, QueryValue> = { ...request.query, ...(cursor === null ? {} : { cursor }) };
      const page = JSON.parse((await ask({ ...request, query })).text) as { next_cursor: string | null };
      pages.push(valueAt(page, expected.take!));
      cursor = page.next_cursor;
    } while (cursor !== null && pages.length <= expected.pages!.length);
    expect(pages).toEqual([...expected.pages!]);
  }

  async function check(row: Row): Promise<void> {
    const { status, body, detail, header, pages } = row.expect;
    const condition = conditionOf(row);
    if (COSTS.test(condition) && status === 200) {
      // Nothing has a price yet: the condition must be taken, its answer comes with the price models.
      expect((await ask(row.request)).answer.status).toBe(200);
      return;
    }
    if (pages !== undefined) return checkPages(row);
    const { answer, text } = await ask(row.request);
    expect({ status: answer.status, text }).toEqual({ status: status!, text });
    for (const [place, value] of Object.entries(body ?? {})) expect(valueAt(JSON.parse(text), place)).toEqual(value);
    if (header !== undefined) expect(answer.headers.has(header)).toBe(true);
    if (detail !== undefined) {
      const found = (JSON.parse(text) as { detail: { type: string; loc: string[] }[] }).detail;
      expect(found.map(({ type, loc }) => ({ type, loc }))).toEqual(
        detail.map(({ type, loc }) => ({ type, loc: [...loc] })),
      );
    }
  }

  // The order is that of the paper: the last group empties the project.
  for (const group of ["traces", "sessions", "spans", "cursor-range", "storage-lock-and-capacity", "delete-traces"]) {
    describe(group, () => {
      const built = rowsOf(group).filter(({ request }) => request !== undefined && PATHS.test(request.path));
      for (const [position, row] of built.entries()) {
        test(`${position}: ${row.state ?? ""} ${lineOf(row.request).slice(0, 120)}`, async () => {
          state = row.state;
          await check(row);
          state = undefined;
        });
      }
    });
  }
});
