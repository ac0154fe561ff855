// Records what a program really exports: bun tests/otlp/recorded/record.ts <case> <command> [arguments]
// Takes its spans over OTLP/HTTP, plays the model that it calls (OPENAI_BASE_URL), and writes <case>.json when it has ended.

import { isRawNumber, type Json } from "../../../src/kernel/json.ts";
import { inflate } from "../../../src/otlp/decode/compression.ts";
import { decodeJson } from "../../../src/otlp/decode/decode-json.ts";
import { decodeProtobuf } from "../../../src/otlp/decode/decode-protobuf.ts";
import type { DecodedAttributes } from "../../../src/otlp/decoded/decoded.ts";
import { answerOf } from "./scripted-model.ts";

/** Keys that say where the program ran, not what it did. */
const OF_THE_MACHINE =
  /^(?:code\.|thread\.|server\.|network\.|host\.|process\.|telemetry\.|langfuse\.trace\.metadata\.resource)/;

interface RecordedSpan {
  readonly scope: string;
  readonly id: string;
  readonly parent: string;
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly events: readonly { readonly name: string; readonly attributes: Record<string, unknown> }[];
}

const [name, ...command] = process.argv.slice(2);
if (name === undefined || command.length === 0) throw new Error("record.ts <case> <command> [arguments]");
const spans: (RecordedSpan & { readonly startUs: number })[] = [];

function plain(attributes: DecodedAttributes): Record<string, unknown> {
  const kept = [...attributes].filter(([key]) => !OF_THE_MACHINE.test(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [
      key,
      isRawNumber(value as Json) ? Number((value as { rawJSON: string }).rawJSON) : value,
    ]),
  );
}

async function take(request: Request): Promise<void> {
  const body = inflate(new Uint8Array(await request.arrayBuffer()), request.headers.get("content-encoding"), 1e8);
  const isJson = request.headers.get("content-type")?.includes("json") === true;
  const decoded = isJson ? decodeJson(body, () => {}) : decodeProtobuf(body, null);
  for (const { scopes } of decoded.resources) {
    for (const scope of scopes) {
      for (const span of scope.spans) {
        spans.push({
          scope: scope.name,
          id: span.spanId,
          parent: span.parentSpanId,
          name: span.name,
          startUs: span.startUs,
          attributes: plain(span.attributes),
          events: span.events.map((event) => ({ name: event.name, attributes: plain(event.attributes) })),
        });
      }
    }
  }
}

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (!pathname.endsWith("/traces")) return answerOf(pathname, await request.text());
    await take(request);
    return new Response(null, { headers: { "content-type": request.headers.get("content-type") ?? "" } });
  },
});

const url = `http://127.0.0.1:${server.port}`;
const program = Bun.spawn(command, {
  env: {
    ...process.env,
    COLLECTOR_URL: url,
    OTEL_EXPORTER_OTLP_ENDPOINT: url,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_KEY: "none",
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "none",
  },
  stdio: ["ignore", "inherit", "inherit"],
});
const status = await program.exited;
await server.stop(true);
if (status !== 0) throw new Error(`The program ended with ${status}`);

// Ids are new in every run: the order of the starts takes their place.
spans.sort((a, b) => a.startUs - b.startUs);
const places = new Map(spans.map(({ id }, place) => [id, place]));
const recorded = spans.map(({ startUs: _, id, parent, ...span }) => ({
  id: places.get(id),
  parent: places.get(parent) ?? null,
  ...span,
}));
await Bun.write(new URL(`${name}.json`, import.meta.url), `${JSON.stringify({ spans: recorded }, null, 2)}\n`);
console.log(`${name}.json: ${recorded.length} spans`);
