// Spans as tables, the data frames of the Python client (docs/protocol/filters.md#data-frames).
import { type Route, route } from "../../../../api/route.ts";
import { fail } from "../../../../kernel/failure.ts";
import { missing } from "../../../../kernel/validation.ts";
import { SpanTablesBody, SpanTablesParameters } from "./span-query.schema.ts";
import { readSpanTableQuery } from "./span-query.service.ts";
import type { SpanTablesService } from "./span-tables.service.ts";

export function spanQueryRoute(tables: SpanTablesService): Route {
  return route({
    method: "POST",
    path: "/v1/spans",
    operationId: "querySpans",
    summary: "Read spans as tables",
    description: "One part of `multipart/mixed` a query: a table in JSON as pandas reads it. Newest start first.",
    action: "spans.query",
    status: 200,
    shown: {
      answer: {
        "multipart/mixed": { schema: { type: "string", description: "A part in JSON a query, each a table." } },
      },
    },
    query: SpanTablesParameters,
    body: SpanTablesBody,
    errors: {
      not_found: "No query was sent.",
      invalid: "A condition or a key cannot be read.",
      too_large: "The tables would take more than 64 MiB; ask for fewer spans or columns.",
      unsupported: "`Accept` takes neither `application/json` nor `multipart/mixed`.",
    },
    example: {
      parameters: { project_name: "example-support-agent" },
      body: {
        queries: [{ select: { name: { key: "name" } }, filter: { condition: "span_kind == 'LLM'" } }],
        limit: 100,
      },
    },
    handler: async ({ context, query, body, request }) => {
      if (body.queries.length === 0) throw fail("spans.no_query", "not_found", "The request has no queries");
      const queries = body.queries.map(readSpanTableQuery);
      if (!takesTables(request.headers.get("accept"))) {
        const message = "Tables are answered as JSON only, not as Arrow: send the header `Accept: application/json`";
        throw fail("spans.tables_as_json_only", "unsupported", message);
      }
      const named = [query.project_name, query["project-name"], request.headers.get("project-name"), body.project_name];
      const roots = body.orphan_span_as_root_span ? "orphans" : "strict";
      const documents = await tables.readTables(context, {
        projectName: named.find((name) => name) ?? null,
        queries,
        startUs: body.start_time ?? null,
        endUs: body.end_time ?? body.stop_time ?? null,
        limit: body.limit,
        roots: body.root_spans_only === true ? roots : "none",
      });
      return multipart(documents);
    },
  });
}

/** Clients ask for what is in the parts, others for the whole, and many for anything. */
function takesTables(accept: string | null): boolean {
  const types = (accept ?? "*/*").split(",").map((type) => type.split(";")[0]!.trim().toLowerCase());
  return types.some((type) => /^(application\/(json|\*)|multipart\/(mixed|\*)|\*\/\*)$/.test(type));
}

/** The old form of the same, without a body: refused as other requests without their parameter, so that clients see what is missing. */
export function oldSpanQueryRoute(): Route {
  return route({
    method: "GET",
    path: "/v1/spans",
    operationId: "querySpansOld",
    summary: "Read spans as tables: use POST",
    action: "spans.query",
    status: 200,
    documented: false,
    handler: () => {
      const message = "The queries are missing: send them with POST";
      throw fail("spans.query_without_body", "invalid", message, { violations: [missing(["body"], null)] });
    },
  });
}

/** Clients cut at every occurrence of the boundary, so it is one that no value can hold. */
function multipart(documents: readonly (readonly Buffer[])[]): Response {
  const boundary = crypto.randomUUID().replaceAll("-", "");
  const head = Buffer.from(`--${boundary}\r\nContent-Type: application/json\r\n\r\n`);
  const end = Buffer.from("\r\n");
  const pieces = documents.flatMap((document) => [head, ...document, end]);
  return new Response(Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]), {
    headers: { "content-type": `multipart/mixed; boundary=${boundary}` },
  });
}
