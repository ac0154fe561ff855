// Bodies that are no export of logs, or half of one, fail by name and never otherwise.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { Failure } from "../../../src/kernel/failure.ts";
import { decodedLogs, logsBody, otlpLogs, recordedLogs } from "../../support/otlp-logs.ts";
import { type WireFormat, wireFormats } from "../../support/otlp-request.ts";

/** The code of the failure, or null. Anything else that is thrown is thrown again. */
function codeOf(body: Uint8Array, format: WireFormat): string | null {
  try {
    decodedLogs(otlpLogs([]), format, { body });
    return null;
  } catch (error) {
    if (error instanceof Failure && error.kind === "invalid") return error.code;
    throw error;
  }
}

test("bytes by chance", () => {
  for (const format of wireFormats) {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (body) => {
        expect([null, "otlp.undecodable"]).toContain(codeOf(body, format));
      }),
    );
  }
});

test("JSON by chance", () => {
  fc.assert(
    fc.property(fc.json(), fc.json(), (records, scope) => {
      const inside = `{"resourceLogs":[{"resource":${scope},"scopeLogs":[{"scope":${scope},"logRecords":[${records}]}]}]}`;
      for (const text of [records, inside])
        expect([null, "otlp.undecodable"]).toContain(codeOf(Buffer.from(text), "json"));
    }),
  );
});

test("an export of an agent, cut or with a byte changed", async () => {
  const [logs] = await recordedLogs("codex");
  for (const format of wireFormats) {
    const body = logsBody(logs!, format);
    const place = fc.nat({ max: body.length - 1 });
    fc.assert(
      fc.property(place, place, fc.nat({ max: 255 }), (end, at, byte) => {
        expect([null, "otlp.undecodable"]).toContain(codeOf(body.slice(0, end), format));
        const changed = body.slice();
        changed[at] = byte;
        expect([null, "otlp.undecodable"]).toContain(codeOf(changed, format));
      }),
    );
  }
});
