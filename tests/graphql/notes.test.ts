// Notes in GraphQL: the group of the vectors, the older form, and who may delete, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { globalId } from "../../src/kernel/ids.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { openForSuite } from "../support/suite.ts";
import additions from "../vectors/additions.json" with { type: "json" };

interface Asked {
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, string | readonly string[]>>;
    readonly body?: unknown;
  };
  readonly capture?: Readonly<Record<string, string>>;
  readonly expect: {
    readonly status: number;
    readonly error?: string;
    readonly body?: Readonly<Record<string, unknown>>;
  };
}
const notes = additions.groups.find(({ group }) => group === "notes") as unknown as { vectors: readonly Asked[] };
const setup = additions.setup as unknown as readonly Asked["request"][];

/** The value at a place like `data.0.id`, or `data[].id` for that of every element. */
function valueAt(value: unknown, place: string): unknown {
  let found: unknown = value;
  for (const step of place.split(".")) {
    const read = (each: unknown) => (each as Record<string, unknown>)[step.replace("[]", "")];
    found = Array.isArray(found) && !/^\d+$/.test(step) ? found.map(read) : read(found);
  }
  return found;
}

forEachDriver("notes in GraphQL", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  const captured: Record<string, unknown> = {};
  beforeAll(async () => {
    for (const request of setup) if (/\/spans$|_annotations$/.test(request.path)) await ask(request);
    const found = `{ project: getProjectByName(name: "${additions.data.project}") { id } }`;
    captured.project = (await askData<{ project: { id: string } }>(api, found)).project.id;
    captured.ann1 = globalId("SpanAnnotation", 1);
  });

  async function ask({ method, path, query = {}, body }: Asked["request"]) {
    const filled = (JSON.stringify(body) ?? "").replace(/\{\{(\w+)\}\}/g, (_all, name) => String(captured[name]));
    const parameters = Object.entries(query).flatMap(([name, values]) => [values].flat().map((value) => [name, value]));
    const line = `${method} ${path}?${new URLSearchParams(parameters as [string, string][])}`;
    const response = await send(api.server, line, body === undefined ? {} : { json: JSON.parse(filled) });
    return { status: response.status, text: await response.text() };
  }

  test("are answered as they were recorded, one after the other", async () => {
    for (const { request, capture = {}, expect: expected } of notes.vectors) {
      const { status, text } = await ask(request);
      const answer = JSON.parse(text);
      const shown = JSON.stringify(request);
      expect([shown, status, answer.errors === undefined]).toEqual([
        shown,
        expected.status,
        expected.error === undefined,
      ]);
      for (const [place, value] of Object.entries(expected.body ?? {})) {
        expect([shown, valueAt(answer, place)]).toEqual([shown, value]);
      }
      for (const [name, place] of Object.entries(capture)) captured[name] = valueAt(answer, place);
    }
  });

  test("the older form keeps the text as it stands", async () => {
    const fields = "{ spanAnnotations { name explanation annotatorKind source identifier } }";
    const { made } = await askData<{ made: { spanAnnotations: unknown[] } }>(
      api,
      `mutation { made: createSpanNote(annotationInput: {spanId: "${captured.s11}", note: "  x "}) ${fields} }`,
    );
    expect(made.spanAnnotations).toEqual([
      {
        name: "note",
        explanation: "  x ",
        annotatorKind: "HUMAN",
        source: "APP",
        identifier: expect.stringMatching(/^px-span-note:[-\da-f]{36}$/),
      },
    ]);
    for (const given of ['note: "x"', `note: "x", spanId: "${captured.s11}", span: {id: "${captured.s11}"}`]) {
      const asked = `mutation { createSpanNote(annotationInput: {${given}}) { query { projectCount } } }`;
      expect(await askRefusal(api, asked)).toBe("BAD_REQUEST span: give either span or spanId");
    }
  });
});
