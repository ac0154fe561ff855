// The recorded requests about versions of prompts, in their order, on both databases: each may use what an earlier one was answered.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { openTestApi, send, type TestApi } from "../../support/api.ts";
import { forEachDriver } from "../../support/drivers.ts";
import recorded from "../../vectors/additions.json" with { type: "json" };

interface Row {
  readonly request: { readonly method: string; readonly path: string; readonly body?: unknown };
  /** Values of the answer, by the names under which later rows use them. */
  readonly capture?: Readonly<Record<string, string>>;
  readonly expect: {
    readonly status: number;
    readonly body?: Readonly<Record<string, unknown>>;
    readonly text?: string;
    readonly detail?: readonly { readonly type: string; readonly loc: readonly (string | number)[] }[];
  };
}
const groups = recorded.groups as unknown as readonly { group: string; vectors: readonly Row[] }[];
const rows = groups.find(({ group }) => group === "prompt-versions")!.vectors;

/** The value at `a.b`, or at `a[].b` that member of each element. */
function valueAt(value: unknown, place: string): unknown {
  const [list, member] = place.split("[].");
  const found = list!.split(".").reduce<unknown>((inner, step) => (inner as Record<string, unknown>)[step], value);
  if (member === undefined) return found;
  return (found as Record<string, unknown>[]).map((each) => each[member] ?? null);
}

forEachDriver("versions of prompts", (driver) => {
  let api: TestApi;
  const known = new Map<string, string>();
  beforeAll(async () => {
    api = await openTestApi(await driver.createDatabase());
  });
  afterAll(() => api.close());
  const filled = (text: string) => text.replace(/\{\{(v\d)\}\}/g, (_match, name: string) => known.get(name) ?? "");

  for (const [position, { request, capture = {}, expect: expected }] of rows.entries()) {
    test(`${position}: ${request.method} ${request.path}`, async () => {
      const sent = request.body === undefined ? {} : { json: request.body };
      const answer = await send(api.server, `${request.method} ${filled(request.path)}`, sent);
      const text = await answer.text();
      expect({ status: answer.status, text }).toEqual({ status: expected.status, text });
      for (const [name, place] of Object.entries(capture)) known.set(name, valueAt(JSON.parse(text), place) as string);
      for (const [place, value] of Object.entries(expected.body ?? {})) {
        const found = valueAt(JSON.parse(text), place);
        // What is called `data` is compared without the id.
        if (place === "data") expect(found).toMatchObject(value as object);
        else expect(found).toEqual(JSON.parse(filled(JSON.stringify(value))));
      }
      if (expected.text?.startsWith("Invocation")) expect(text.trim()).toBe(expected.text);
      if (expected.detail !== undefined) {
        const { detail } = JSON.parse(text) as { detail: { type: string; loc: (string | number)[] }[] };
        expect(detail.map(({ type, loc }) => ({ type, loc }))).toEqual(
          expected.detail.map(({ type, loc }) => ({ type, loc: [...loc] })),
        );
      }
    });
  }
});
