// Request bodies: media types, encodings, syntax and size.
import { describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import { readBody } from "../../src/api/body.ts";
import { Failure } from "../../src/kernel/failure.ts";
import { AnyObject } from "../../src/kernel/schema.ts";
import { Violations } from "../../src/kernel/violations.ts";

const Body = Type.Object({ name: Type.String(), attributes: Type.Optional(AnyObject()) });
const LIMIT = 1000;

async function read(body: BodyInit | undefined, contentType: string | null = "application/json") {
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: contentType === null ? {} : { "content-type": contentType },
    ...(body === undefined ? {} : { body }),
  });
  if (contentType === null) request.headers.delete("content-type");
  const violations = new Violations();
  const value = await readBody(Body, request, { bytes: LIMIT, silenceMs: 30_000 }, violations);
  return { value, violations: violations.list() };
}

async function refusal(body: BodyInit): Promise<Failure> {
  try {
    await read(body);
  } catch (error) {
    if (error instanceof Failure) return error;
  }
  throw new Error("The body was taken");
}

describe("readBody", () => {
  for (const type of ["application/json", "Application/JSON; charset=utf-8", "application/vnd.x+json"]) {
    test(`reads ${type}`, async () => {
      expect(await read('{"name":"n"}', type)).toEqual({ value: { name: "n" }, violations: [] });
    });
  }

  for (const type of [null, "text/plain", "application/x-protobuf", "application/jsonx"]) {
    test(`does not read ${type ?? "a body without media type"}`, async () => {
      const { violations } = await read('{"name":"n"}', type);
      expect(violations).toMatchObject([{ type: "model_attributes_type", loc: ["body"], input: '{"name":"n"}' }]);
    });
  }

  test("keeps the kinds and digits of numbers", async () => {
    const { value } = await read('{"name":"n","attributes":{"a":1.0,"b":12345678901234567890}}');
    expect(JSON.stringify(value.attributes)).toBe('{"a":1.0,"b":12345678901234567000.0}');
  });

  test("an absent body is missing, whatever its media type", async () => {
    for (const type of ["application/json", null]) {
      expect((await read(undefined, type)).violations).toMatchObject([{ type: "missing", loc: ["body"], input: null }]);
    }
  });

  for (const [text, type] of [
    ["[1]", "model_attributes_type"],
    ['"x"', "model_attributes_type"],
    ["null", "model_attributes_type"],
    ["{}", "missing"],
  ]) {
    test(`${text} is ${type}`, async () => {
      expect((await read(text)).violations.map((violation) => violation.type)).toEqual([type!]);
    });
  }

  for (const [text, offset] of [
    ["{bad", 1],
    ['{"name":NaN}', 8],
    ['{"name":Infinity}', 8],
  ] as const) {
    test(`${text} is no JSON from character ${offset} on`, async () => {
      const failure = await refusal(text);
      expect(failure.kind).toBe("invalid");
      expect(failure.details.violations).toMatchObject([{ type: "json_invalid", loc: ["body", offset], input: {} }]);
    });
  }

  test("bytes that are not UTF-8 are malformed", async () => {
    expect((await refusal(Bun.gzipSync(new Uint8Array([1])))).kind).toBe("malformed");
  });

  test("depth alone breaks nothing", async () => {
    const depth = 400;
    const nested = `{"name":"n","attributes":{"a":${"[".repeat(depth)}${"]".repeat(depth)}}}`;
    expect((await read(nested)).violations).toEqual([]);
  });

  test("a body of the largest size is read, one byte more is too large", async () => {
    const json = JSON.stringify({ name: "" });
    const fitting = JSON.stringify({ name: "x".repeat(LIMIT - json.length) });
    expect((await read(fitting)).violations).toEqual([]);
    expect((await refusal(`${fitting} `)).kind).toBe("too_large");
  });

  test("a body that does not announce its size is stopped at the limit", async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 100;
        controller.enqueue(new Uint8Array(100).fill(32));
      },
    });
    expect((await refusal(endless)).kind).toBe("too_large");
    expect(sent).toBeLessThan(10 * LIMIT);
  });
});
