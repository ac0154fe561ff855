// The groups of additions.json about datasets on both databases: splits with the sender's own ids, experiments, ordered operations on
// examples, and cursors beyond every row.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { openTestApi, send, type TestApi } from "../../support/api.ts";
import { forEachDriver } from "../../support/drivers.ts";
import recorded from "../../vectors/additions.json" with { type: "json" };

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}
interface Row {
  readonly request: Asked;
  readonly capture?: Readonly<Record<string, string>>;
  readonly expect: {
    readonly status?: number;
    readonly body?: Readonly<Record<string, unknown>>;
    readonly text?: string;
    readonly error?: string;
    readonly detail?: readonly { readonly type: string; readonly loc: readonly string[] }[];
    readonly take?: string;
    readonly pages?: readonly unknown[];
    readonly metadata_of?: Readonly<Record<string, unknown>>;
  };
}

const groups = recorded.groups as unknown as readonly { group: string; vectors: readonly Row[] }[];
const rowsOf = (group: string) => groups.find((each) => each.group === group)!.vectors;

/** The value at `a.b`, `a[].b` (that member of every element) or `a.0.b`. */
function valueAt(value: unknown, place: string): unknown {
  let found = [value];
  let isList = false;
  for (const step of place.split(".")) {
    found = found.map((each) => (each as Record<string, unknown>)[step.replace(/\[\]$/, "")]);
    if (step.endsWith("[]")) {
      found = found.flat();
      isList = true;
    }
  }
  return isList ? found : found[0];
}

interface ExportedRun {
  readonly output: unknown;
  readonly error: unknown;
  readonly annotations: readonly { readonly name: string; readonly metadata: unknown }[];
}

/** The export of runs by member, as the vectors show it: annotations as their names, sorted. */
function exported(text: string) {
  const runs = JSON.parse(text) as readonly ExportedRun[];
  return {
    output: runs.map(({ output }) => output),
    error: runs.map(({ error }) => error),
    annotations: runs.map(({ annotations }) => annotations.map(({ name }) => name).sort()),
    metadata: new Map(runs.flatMap(({ annotations }) => annotations.map(({ name, metadata }) => [name, metadata]))),
  };
}

/** Ids and names between quotes and commas: what a refusal must name. */
function namedIn(wording: string): string[] {
  return [...wording.matchAll(/[A-Za-z0-9+/]{8,}={1,2}|'([^']+)'|operations\[\d+\]/g)].map(
    ([whole, quoted]) => quoted ?? whole,
  );
}

forEachDriver("additions of datasets", (driver) => {
  let api: TestApi;
  const captured = new Map<string, string>();
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
  });
  afterAll(() => api.close());

  const filled = <Value>(value: Value): Value =>
    JSON.parse(JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (_whole, name: string) => captured.get(name) ?? name));

  async function ask({ method, path, query = {}, body }: Asked, more: Readonly<Record<string, string>> = {}) {
    const search = new URLSearchParams({ ...query, ...more });
    const line = `${method} ${path}${search.size === 0 ? "" : `?${search}`}`;
    const answer = await send(api.server, line, body === undefined ? {} : { json: body });
    return { status: answer.status, text: await answer.text() };
  }

  async function check(row: Row): Promise<void> {
    const { request, expect: expected, capture = {} } = { ...filled(row), capture: row.capture };
    if (expected.pages !== undefined) {
      const pages: unknown[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = JSON.parse((await ask(request, cursor === "" ? {} : { cursor })).text) as {
          next_cursor: string | null;
        };
        pages.push(valueAt(page, expected.take!));
        cursor = page.next_cursor;
      }
      expect(pages).toEqual([...expected.pages]);
      return;
    }
    const { status, text } = await ask(request);
    expect({ status, text }).toEqual({ status: expected.status!, text });
    const body =
      status === 200 && request.path.endsWith("/json")
        ? exported(text)
        : JSON.parse(text.startsWith("{") ? text : "{}");
    for (const [place, value] of Object.entries(expected.body ?? {})) {
      expect([place, valueAt(body, place)]).toEqual([place, value]);
    }
    for (const [name, metadata] of Object.entries(expected.metadata_of ?? {})) {
      expect(exported(text).metadata.get(name)).toEqual(metadata);
    }
    if (expected.detail !== undefined) {
      const { detail } = JSON.parse(text) as { detail: { type: string; loc: string[] }[] };
      expect(detail.map(({ type, loc }) => ({ type, loc }))).toEqual(
        expected.detail.map(({ type, loc }) => ({ type, loc: [...loc] })),
      );
    }
    if (expected.error !== undefined) {
      const { errors } = JSON.parse(text) as { errors?: { message: string }[] };
      const message = errors?.[0]?.message ?? "";
      expect([message, namedIn(expected.error).filter((name) => !message.includes(name))]).toEqual([message, []]);
      expect(message).not.toBe("");
    }
    if (expected.text !== undefined) expect(namedIn(expected.text).filter((name) => !text.includes(name))).toEqual([]);
    for (const [name, place] of Object.entries(capture)) captured.set(name, String(valueAt(JSON.parse(text), place)));
  }

  for (const group of ["splits", "experiments", "patch-examples", "cursor-range"]) {
    describe(group, () => {
      const built = rowsOf(group).filter(({ request }) => /^\/(graphql|v1\/(dataset|experiment))/.test(request.path));
      for (const [position, row] of built.entries()) {
        test(`${position}: ${row.request.method} ${row.request.path}`, () => check(row));
      }
    });
  }
});
