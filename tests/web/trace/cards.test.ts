// The cards of a span: their order and content, and that no value of any shape breaks them.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { cardJson, cardText } from "../../../src/web/domain/trace/payload/card-text.ts";
import { type Card, type CardSpan, cardsOf } from "../../../src/web/domain/trace/payload/cards.ts";
import { factsOf } from "../../../src/web/domain/trace/payload/facts.ts";
import { flatValues, searchFlat } from "../../../src/web/domain/trace/payload/flat.ts";
import { jsonText } from "../../../src/web/domain/trace/payload/values.ts";
import { heldJson } from "../../../src/web/lib/held-json.ts";
import { call, payload } from "./payloads.ts";

const ok: CardSpan = { kind: "LLM", status: "OK", statusMessage: "" };
const failed = (statusMessage: string): CardSpan => ({ kind: "TOOL", status: "ERROR", statusMessage });
const exception = {
  name: "exception",
  timestamp: "2026-11-20T22:37:17.000000+00:00",
  attributes: { "exception.type": "TimeoutError", "exception.message": "after 2 s", "exception.stacktrace": "at x" },
};

function card<Id extends Card["id"]>(cards: readonly Card[], id: Id) {
  return cards.find((each) => each.id === id) as Card & { readonly id: Id };
}

describe("cards", () => {
  test("stand in their fixed order, and only those that have something to say", () => {
    const attributes: JsonObject = {
      ...call({ role: "user", content: "hi" }),
      output: { value: "yes" },
      retrieval: { documents: [{ document: { content: "d" } }] },
      metadata: '{"a":1}',
    };
    (attributes.llm as JsonObject).tools = [{ tool: { json_schema: '{"name":"f"}' } }];
    (attributes.llm as JsonObject).invocation_parameters = '{"temperature":0.2}';
    const ids = cardsOf(failed("x"), payload(attributes, [exception])).map(({ id }) => id);
    expect(ids).toEqual([
      "error",
      "input",
      "output",
      "tools",
      "documents",
      "parameters",
      "metadata",
      "events",
      "attributes",
    ]);
    expect(cardsOf(ok, payload({})).map(({ id }) => id)).toEqual(["attributes"]);
  });

  test("an error is shown once, though frameworks write it twice", () => {
    const errorOf = (message: string) => card(cardsOf(failed(message), payload({}, [exception])), "error");
    expect(errorOf("TimeoutError: after 2 s").message).toBeNull();
    expect(errorOf("gave up").message).toBe("gave up");
    expect(errorOf("").exceptions).toMatchObject([{ type: "TimeoutError", message: { text: "after 2 s" } }]);
    expect(card(cardsOf(failed("only this"), payload({})), "error")).toMatchObject({ message: "only this" });
    // An exception that was caught is still shown.
    expect(card(cardsOf(ok, payload({}, [exception])), "error")).toBeDefined();
  });

  test("inputs are conversations, JSON or text", () => {
    const side = (value: Json) => card(cardsOf(ok, payload({ input: { value } })), "input");
    expect(side('{"messages":[{"role":"user","content":"hi"}]}').messages).toHaveLength(1);
    expect(side('{"a":1}')).toMatchObject({ messages: [], json: { a: 1 } });
    expect(side("plain")).toMatchObject({ messages: [], json: undefined, value: { text: "plain" } });
    expect(side(5)).toMatchObject({ value: { text: "5" } });
    expect(side({ a: 1 })).toMatchObject({ json: { a: 1 } });
  });

  test("the beginning of a long text is not taken for JSON", () => {
    const cut = payload({ input: { value: '[{"a":1}]' } }, [], [['["attributes","input","value"]', 99_999]]);
    expect(card(cardsOf(ok, cut), "input")).toMatchObject({ json: undefined, value: { wholeBytes: 99_999 } });
  });

  test("tools come with their parameters in words", () => {
    const schema = {
      type: "function",
      function: {
        name: "lookup",
        description: "Finds",
        parameters: {
          properties: {
            id: { type: "integer" },
            keys: { type: "array", items: { type: "string" } },
            plan: { enum: ["a", "b"] },
          },
          required: ["id"],
        },
      },
    };
    const { tools } = card(
      cardsOf(ok, payload({ llm: { tools: [{ tool: { json_schema: JSON.stringify(schema) } }] } })),
      "tools",
    );
    expect(tools[0]).toMatchObject({ name: "lookup", description: "Finds" });
    expect(tools[0]!.parameters.map(({ name, type, required }) => `${name} ${type} ${required}`)).toEqual([
      "id integer true",
      "keys string[] false",
      'plan "a" | "b" false',
    ]);
  });

  const parameters = { type: "object", properties: { id: { type: "integer" } } };
  test.each<[string, Json, readonly string[]]>([
    [
      "beside a schema without a name",
      { tool: { name: "lookup", json_schema: JSON.stringify(parameters) } },
      ["lookup(id)"],
    ],
    ["as the title of the schema", { tool: { json_schema: { ...parameters, title: "Lookup" } } }, ["Lookup(id)"]],
    [
      "inside toolSpec",
      { tool: { json_schema: { toolSpec: { name: "lookup", inputSchema: { json: parameters } } } } },
      ["lookup(id)"],
    ],
    [
      "in a list of declarations",
      { tool: { json_schema: { functionDeclarations: [{ name: "one", parameters }, { name: "two" }] } } },
      ["one(id)", "two()"],
    ],
    [
      "in a schema that is a text of JSON in a text",
      { tool: { json_schema: JSON.stringify(JSON.stringify({ name: "lookup", inputSchema: parameters })) } },
      ["lookup(id)"],
    ],
    ["of a provider's own tool", { tool: { json_schema: { type: "web_search" } } }, ["web_search()"]],
    ["nowhere", { tool: { json_schema: parameters } }, ["(id)"]],
  ])("the name of a tool is found %s", (_where, tool, expected) => {
    const { tools } = card(cardsOf(ok, payload({ llm: { tools: [tool] } })), "tools");
    expect(tools.map(({ name, parameters: given }) => `${name}(${given.map((each) => each.name).join()})`)).toEqual([
      ...expected,
    ]);
  });

  test("a system text that was recorded twice stands once, other words of the system stay", () => {
    const system = { role: "system", content: "Be brief." };
    const user = { role: "user", content: "Hi" };
    const side = card(
      cardsOf(
        ok,
        payload(call(system, { ...system, role: "developer" }, user, system, { ...system, content: "Be kind." }, user)),
      ),
      "input",
    );
    expect(
      side.messages.map(
        ({ role, parts }) => `${role} ${parts.map((part) => ("excerpt" in part ? part.excerpt.text : ""))}`,
      ),
    ).toEqual(["system Be brief.", "user Hi", "system Be kind.", "user Hi"]);
  });

  test("JSON that is a text of JSON is unpacked", () => {
    const inner = JSON.stringify({ a: 1 });
    expect(heldJson(JSON.stringify(inner))).toEqual({ a: 1 });
    expect(heldJson(JSON.stringify(JSON.stringify(inner)))).toEqual({ a: 1 });
    expect(heldJson('"a word"')).toBeUndefined();
    expect(heldJson('"{broken"')).toBeUndefined();
    expect(heldJson(JSON.stringify("5"))).toBeUndefined();
  });

  test("reranked documents know where they stood before", () => {
    const document = (id: string, score: number) => ({ document: { id, score, content: id } });
    const reranker = {
      input_documents: [document("a", 1), document("b", 2)],
      output_documents: [document("b", 9), document("c", 3)],
    };
    const { lists } = card(cardsOf(ok, payload({ reranker })), "documents");
    expect(lists.map(({ role }) => role)).toEqual(["reranked", "given"]);
    expect(lists[0]!.documents.map(({ before }) => before)).toEqual([1, null]);
  });

  test("facts of a model call", () => {
    const llm = {
      model_name: "gpt-4o",
      invocation_parameters: '{"temperature":0.2}',
      token_count: { prompt: 1204, completion: 96, prompt_details: { cache_read: 1000, cache_write: 150 } },
      output_messages: [{ message: { role: "assistant", content: "x", finish_reason: "stop" } }],
    };
    const event = { name: "First Token Stream Event", timestamp: "2026-11-20T22:37:13.410000+00:00", attributes: {} };
    const start = Date.UTC(2026, 10, 20, 22, 37, 13) * 1000;
    expect(factsOf(payload({ llm }, [event]), start)).toMatchObject({
      model: "gpt-4o",
      firstTokenUs: 410_000,
      promptTokens: 1204,
      completionTokens: 96,
      cachedTokens: 1000,
      cacheWrittenTokens: 150,
      temperature: 0.2,
      finishReason: "stop",
    });
  });
});

describe("attributes", () => {
  test("stand flat by their dotted keys and can be searched by key and value", () => {
    const flat = flatValues({ a: { b: [{ c: 1 }, { d: "Word" }], e: [1, 2] }, f: {}, g: null });
    expect(flat.map(({ key }) => key)).toEqual(["a.b.0.c", "a.b.1.d", "a.e", "f", "g"]);
    expect(searchFlat(flat, "WORD").map(({ key }) => key)).toEqual(["a.b.1.d"]);
    expect(searchFlat(flat, "a.E").map(({ key }) => key)).toEqual(["a.e"]);
    expect(searchFlat(flat, " ")).toBe(flat);
  });

  test("numbers keep their digits", () => {
    expect(jsonText(heldJson('{"a":1.0,"b":1234567890123456789}'))).toBe(
      '{\n  "a": 1.0,\n  "b": 1234567890123456789\n}',
    );
  });
});

describe("whatever was sent", () => {
  const keys = fc.constantFrom(
    ..."role content contents message message_content type text tool_calls tool_call function name arguments id".split(
      " ",
    ),
    ..."image url audio document documents metadata score input output value messages choices kwargs parts 0 1".split(
      " ",
    ),
    ..."llm input_messages output_messages tools tool json_schema parameters properties retrieval reranker".split(" "),
    ..."embedding embeddings invocation_parameters prompt_template template variables prompts token_count".split(" "),
    ..."exception.type exception.message exception timestamp attributes __proto__ constructor length".split(" "),
  );
  const words = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "text",
      "user",
      "tool_use",
      "tool_result",
      "function_call",
      '{"a":',
      "[1,{}]",
      "exception",
      '{"messages":[{"role":1}]}',
    ),
  );
  const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 7 },
      fc.constantFrom(null, true, 0, -1.5, 1e308),
      words,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(keys, tie("value"), { maxKeys: 5 }),
      words.map((word) => JSON.stringify({ messages: [{ role: "user", content: word }] })),
    ),
  }));
  const place = fc.constantFrom<readonly string[]>(
    ["input", "value"],
    ["output"],
    ["metadata"],
    ["llm"],
    ["llm", "input_messages"],
    ["llm", "tools"],
    ["llm", "invocation_parameters"],
    ["llm", "prompts"],
    ["retrieval", "documents"],
    ["reranker"],
    ["embedding", "embeddings"],
    ["tool"],
  );
  const attributes = fc.array(fc.tuple(place, anyValue), { maxLength: 6 }).map((entries) => {
    const root: JsonObject = {};
    for (const [steps, value] of entries) {
      let container = root;
      for (const step of steps.slice(0, -1)) {
        const next = container[step];
        if (typeof next !== "object" || next === null || Array.isArray(next)) container[step] = {};
        container = container[step] as JsonObject;
      }
      container[steps.at(-1)!] = value;
    }
    return root;
  });

  test("there are cards for it, and each has a text and a JSON", () => {
    fc.assert(
      fc.property(attributes, anyValue, fc.constantFrom("OK", "ERROR", "UNSET"), (given, events, status) => {
        const span = { kind: "LLM", status, statusMessage: "" } as const;
        const found = payload(given, Array.isArray(events) ? events : [events]);
        const cards = cardsOf(span, found);
        expect(cards.at(-1)!.id).toBe("attributes");
        for (const each of cards) {
          expect(typeof cardText(each)).toBe("string");
          expect(JSON.stringify(cardJson(each))).toBeString();
        }
        expect(factsOf(found, 0)).toBeObject();
        searchFlat(flatValues(found.attributes), "a");
      }),
      { numRuns: 300 },
    );
  });

  test("JSON of a hundred thousand levels is text that opens like any other", () => {
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const cards = cardsOf(ok, payload({ input: { value: deep }, metadata: deep }));
    for (const each of cards) expect(cardText(each)).toBeString();
  });
});
