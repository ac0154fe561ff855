// Programs that send one trace to this server, as short as they can be. The tests run those that can run there.

export const languages = ["python", "typescript", "curl"] as const;
export type Language = (typeof languages)[number];

interface Target {
  /** Where the service answers, without a slash at the end. */
  readonly base: string;
  readonly project: string;
  /** The server asks programs for an API key: it stands in PHOENIX_API_KEY. */
  readonly withKey: boolean;
}

export interface Snippet {
  readonly install: string | null;
  readonly code: string;
}

export function snippet(language: Language, target: Target): Snippet {
  return snippets[language](target);
}

const quoted = (text: string) => JSON.stringify(text);

const snippets: Readonly<Record<Language, (target: Target) => Snippet>> = {
  python: ({ base, project }) => ({
    install: "pip install arize-phoenix-otel openinference-instrumentation-openai openai",
    code: `from phoenix.otel import register

tracer_provider = register(
    project_name=${quoted(project)},
    endpoint=${quoted(`${base}/v1/traces`)},
    auto_instrument=True,  # every OpenInference package that is installed
)

tracer = tracer_provider.get_tracer(__name__)
with tracer.start_as_current_span("answer", openinference_span_kind="chain") as span:
    span.set_input("What is a span?")
    span.set_output("A piece of work with a beginning and an end.")
`,
  }),
  typescript: ({ base, project }) => ({
    install: "npm install @arizeai/phoenix-otel",
    code: `import { register, trace } from "@arizeai/phoenix-otel";

const provider = register({ projectName: ${quoted(project)}, url: ${quoted(base)}, batch: false });

trace.getTracer("hello").startActiveSpan("answer", (span) => {
  span.setAttribute("openinference.span.kind", "CHAIN");
  span.setAttribute("input.value", "What is a span?");
  span.setAttribute("output.value", "A piece of work with a beginning and an end.");
  span.end();
});
await provider.forceFlush();
`,
  }),
  curl: ({ base, project, withKey }) => ({
    install: null,
    code: `NOW=$(date +%s)
curl ${base}/v1/traces -H 'content-type: application/json'${withKey ? ' -H "authorization: Bearer $PHOENIX_API_KEY"' : ""} -d '{
  "resourceSpans": [{
    "resource": { "attributes": [
      { "key": "openinference.project.name", "value": { "stringValue": ${JSON.stringify(project).replaceAll("'", "'\\''")} } }
    ] },
    "scopeSpans": [{ "spans": [{
      "traceId": "'$(openssl rand -hex 16)'",
      "spanId": "'$(openssl rand -hex 8)'",
      "name": "answer",
      "startTimeUnixNano": "'$NOW'000000000",
      "endTimeUnixNano": "'$NOW'900000000",
      "attributes": [
        { "key": "openinference.span.kind", "value": { "stringValue": "CHAIN" } },
        { "key": "input.value", "value": { "stringValue": "What is a span?" } },
        { "key": "output.value", "value": { "stringValue": "A piece of work with a beginning and an end." } }
      ]
    }] }]
  }]
}'
`,
  }),
};
