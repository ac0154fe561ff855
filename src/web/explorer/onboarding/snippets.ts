// Programs that send one trace to this server, as short as they can be, by language and framework. The tests run those that can run
// there.

export const languages = ["python", "typescript", "other"] as const;
export type Language = (typeof languages)[number];

export const frameworks = {
  python: ["plain", "openai", "langchain", "llamaindex"],
  typescript: ["plain", "openai", "vercel"],
  other: ["curl", "environment"],
} as const satisfies Readonly<Record<Language, readonly string[]>>;
export type Framework = (typeof frameworks)[Language][number];

interface Target {
  /** Where the service answers, without a slash at the end. */
  readonly base: string;
  readonly project: string;
  /** The server asks programs for an API key: it stands in PHOENIX_API_KEY. */
  readonly withKey: boolean;
}

interface Snippet {
  readonly install: string | null;
  /** The file that the code goes to; null for what is pasted into a shell. */
  readonly file: string | null;
  readonly code: string;
  readonly run: string | null;
  /** The program asks a model, which wants OPENAI_API_KEY. */
  readonly asksModel: boolean;
}

const quoted = (text: string) => JSON.stringify(text);
const QUESTION = "What is a span?";
const ANSWER = "A piece of work with a beginning and an end.";

export function snippet(language: Language, framework: Framework, target: Target): Snippet {
  switch (language) {
    case "python":
      return python(framework, target);
    case "typescript":
      return typescript(framework, target);
    case "other":
      return framework === "environment" ? environment(target) : curl(target);
  }
}

function python(framework: Framework, { base, project }: Target): Snippet {
  const register = `register(
    project_name=${quoted(project)},
    endpoint=${quoted(`${base}/v1/traces`)},
    auto_instrument=True,  # every OpenInference package that is installed
)
`;
  const made = (packages: string, imported: string, asked: string) => ({
    install: `pip install arize-phoenix-otel ${packages}`,
    file: "trace.py",
    code: `${imported}\nfrom phoenix.otel import register\n\n${register}\n${asked}`,
    run: "python trace.py",
    asksModel: true,
  });
  switch (framework) {
    case "openai":
      return made(
        "openinference-instrumentation-openai openai",
        "from openai import OpenAI",
        `answer = OpenAI().chat.completions.create(
    model="gpt-4o-mini",
    messages=[{"role": "user", "content": ${quoted(QUESTION)}}],
)
print(answer.choices[0].message.content)
`,
      );
    case "langchain":
      return made(
        "openinference-instrumentation-langchain langchain-openai",
        "from langchain_openai import ChatOpenAI",
        `model = ChatOpenAI(model="gpt-4o-mini")
print(model.invoke(${quoted(QUESTION)}).content)
`,
      );
    case "llamaindex":
      return made(
        "openinference-instrumentation-llama-index llama-index-llms-openai",
        "from llama_index.llms.openai import OpenAI",
        `print(OpenAI(model="gpt-4o-mini").complete(${quoted(QUESTION)}))
`,
      );
    default:
      return {
        install: "pip install arize-phoenix-otel",
        file: "trace.py",
        code: `from phoenix.otel import register

tracer_provider = ${register}
tracer = tracer_provider.get_tracer(__name__)
with tracer.start_as_current_span("answer", openinference_span_kind="chain") as span:
    span.set_input(${quoted(QUESTION)})
    span.set_output(${quoted(ANSWER)})
`,
        run: "python trace.py",
        asksModel: false,
      };
  }
}

function typescript(framework: Framework, { base, project }: Target): Snippet {
  const register = `const provider = register({ projectName: ${quoted(project)}, url: ${quoted(base)}, batch: false });`;
  // Modules may wait at their top level; other files may not.
  const common = { file: "trace.mts", run: "npx tsx trace.mts" };
  switch (framework) {
    case "openai":
      return {
        ...common,
        install: "npm install @arizeai/phoenix-otel @arizeai/openinference-instrumentation-openai openai",
        code: `${imports({
          "{ OpenAIInstrumentation }": "@arizeai/openinference-instrumentation-openai",
          "{ register }": "@arizeai/phoenix-otel",
          OpenAI: "openai",
        })}

${register}
new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI);

const answer = await new OpenAI().chat.completions.create({
  model: "gpt-4o-mini",
  messages: [{ role: "user", content: ${quoted(QUESTION)} }],
});
console.log(answer.choices[0]?.message.content);
await provider.forceFlush();
`,
        asksModel: true,
      };
    case "vercel":
      return {
        ...common,
        install: "npm install @arizeai/phoenix-otel ai@7 @ai-sdk/openai @ai-sdk/otel",
        code: `${imports({
          "{ openai }": "@ai-sdk/openai",
          "{ OpenTelemetry }": "@ai-sdk/otel",
          "{ register }": "@arizeai/phoenix-otel",
          "{ generateText, registerTelemetry }": "ai",
        })}

${register}
registerTelemetry(new OpenTelemetry());

const { text } = await generateText({
  model: openai("gpt-4o-mini"),
  prompt: ${quoted(QUESTION)},
});
console.log(text);
await provider.forceFlush();
`,
        asksModel: true,
      };
    default:
      return {
        ...common,
        install: "npm install @arizeai/phoenix-otel",
        code: `${imports({ "{ register, trace }": "@arizeai/phoenix-otel" })}

${register}

trace.getTracer("hello").startActiveSpan("answer", (span) => {
  span.setAttribute("openinference.span.kind", "CHAIN");
  span.setAttribute("input.value", ${quoted(QUESTION)});
  span.setAttribute("output.value", ${quoted(ANSWER)});
  span.end();
});
await provider.forceFlush();
`,
        asksModel: false,
      };
  }
}

/** What is imported, from where. */
function imports(lines: Readonly<Record<string, string>>): string {
  return Object.entries(lines)
    .map(([what, from]) => `import ${what} from ${quoted(from)};`)
    .join("\n");
}

/** What every OpenTelemetry program reads, whatever its language. */
function environment({ base, project, withKey }: Target): Snippet {
  const lines = [
    `export OTEL_EXPORTER_OTLP_ENDPOINT=${quoted(base)}`,
    'export OTEL_EXPORTER_OTLP_PROTOCOL="http/protobuf"',
    ...(withKey ? ['export OTEL_EXPORTER_OTLP_HEADERS="authorization=Bearer%20$PHOENIX_API_KEY"'] : []),
    `export OTEL_RESOURCE_ATTRIBUTES="openinference.project.name=${encodeURIComponent(project)}"`,
  ];
  return { install: null, file: null, code: `${lines.join("\n")}\n`, run: null, asksModel: false };
}

function curl({ base, project, withKey }: Target): Snippet {
  const code = `NOW=$(date +%s)
curl ${base}/v1/traces -H 'content-type: application/json'${withKey ? ' -H "authorization: Bearer $PHOENIX_API_KEY"' : ""} -d '{
  "resourceSpans": [{
    "resource": { "attributes": [
      { "key": "openinference.project.name", "value": { "stringValue": ${quoted(project).replaceAll("'", "'\\''")} } }
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
`;
  return { install: null, file: null, code, run: null, asksModel: false };
}
