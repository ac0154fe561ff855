// Failures of many causes as programs record them, each written many times: other numbers, ids, texts of users, folders of a build,
// lines and frames of libraries.

import type { FailureEvidence } from "../../src/analysis/failures/failure-evidence.ts";
import { noEvidence } from "../../src/analysis/failures/read-failure.ts";
import { type Draw, drawFrom } from "../../src/demo-data/draw.ts";

interface Cause {
  readonly type: string | null;
  readonly message: (draw: Draw) => string;
  readonly language: "python" | "node" | "java" | "go" | null;
  readonly frames: readonly (readonly [file: string, name: string])[];
  readonly toolName: string | null;
}

export const NO_FAILURE: FailureEvidence = {
  kind: "CHAIN",
  name: "step",
  status: "UNSET",
  statusMessage: "",
  ...noEvidence,
};

const whole = (draw: Draw, most = 100_000) => Math.floor(draw.between(1, most));
const uuid = (draw: Draw) => [4, 2, 2, 2, 6].map((bytes) => draw.hex(bytes)).join("-");
const ALPHABET = [..."ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789"];
const random = (draw: Draw, length: number) => Array.from({ length }, () => draw.pick(ALPHABET)).join("");
const address = (draw: Draw) => `10.${whole(draw, 255)}.${whole(draw, 255)}.${whole(draw, 255)}:${whole(draw, 65_000)}`;
const names = ["alice", "Bob O'Neill", "Søren", "李雷", "x", "Mary-Ann Smith", "jürgen.m", "n/a", "", "user 7"];
const prose = [
  "I think the answer is 42.",
  "Sure! Here is what I found: {not json",
  'The customer said: "it\'s broken", and hung up',
  "Ich weiß es nicht.",
  "- first\n- second\n- third",
];
const date = (draw: Draw) =>
  draw.pick([
    `2026-${String(whole(draw, 12)).padStart(2, "0")}-${String(whole(draw, 28)).padStart(2, "0")}T${String(whole(draw, 23)).padStart(2, "0")}:10:31.${whole(draw, 999)}Z`,
    `2026-11-${String(whole(draw, 28)).padStart(2, "0")} 06:10:${String(whole(draw, 59)).padStart(2, "0")}`,
  ]);

/** What is thrown, without where. No two are of one cause. */
const errors: readonly (readonly [string | null, (draw: Draw) => string])[] = [
  ["httpx.ReadTimeout", () => ""],
  ["httpx.ConnectError", (draw) => `[Errno 111] Connection refused by ${address(draw)}`],
  [
    "httpx.HTTPStatusError",
    (draw) => `Server error '503 Service Unavailable' for url 'https://api.example/v1/${draw.hex(4)}'`,
  ],
  [
    "httpx.HTTPStatusError",
    (draw) => `Client error '404 Not Found' for url 'https://api.example/items/${whole(draw)}?q=${random(draw, 6)}'`,
  ],
  [
    "openai.RateLimitError",
    (draw) =>
      `Error code: 429 - {'error': {'message': 'Rate limit reached for gpt-4o in organization org-${random(draw, 24)} on requests per min (RPM): Limit ${whole(draw)}, Used ${whole(draw)}. Please try again in ${whole(draw, 900)}ms.', 'type': 'requests', 'param': None, 'code': 'rate_limit_exceeded'}}`,
  ],
  [
    "openai.RateLimitError",
    (draw) =>
      `Error code: 429 - {'error': {'message': 'You exceeded your current quota, please check your plan. req_${random(draw, 20)}', 'type': 'insufficient_quota', 'param': None, 'code': 'insufficient_quota'}}`,
  ],
  [
    "openai.BadRequestError",
    (draw) =>
      `Error code: 400 - {'error': {'message': "This model's maximum context length is ${whole(draw)} tokens. However, your messages resulted in ${whole(draw)} tokens.", 'type': 'invalid_request_error', 'param': 'messages', 'code': 'context_length_exceeded'}}`,
  ],
  [
    "openai.BadRequestError",
    (draw) =>
      `Error code: 400 - {'error': {'message': "Invalid value: '${draw.pick(names)}'. Supported values are: 'system', 'assistant', 'user'.", 'type': 'invalid_request_error', 'param': 'messages[${whole(draw, 9)}].role', 'code': 'invalid_value'}}`,
  ],
  [
    "anthropic.InternalServerError",
    (draw) =>
      `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_${random(draw, 24)}"}`,
  ],
  [
    "anthropic.BadRequestError",
    (draw) =>
      `Error code: 400 - {'type': 'error', 'error': {'type': 'invalid_request_error', 'message': 'messages.${whole(draw, 50)}.content.${whole(draw, 5)}: tool_use ids were found without tool_result blocks: toolu_${random(draw, 24)}'}}`,
  ],
  [
    "botocore.errorfactory.ThrottlingException",
    (draw) =>
      `An error occurred (ThrottlingException) when calling the InvokeModel operation (reached max retries: ${whole(draw, 9)}): Too many requests, please wait before trying again.`,
  ],
  [
    "google.api_core.exceptions.ResourceExhausted",
    (draw) =>
      `429 Quota exceeded for aiplatform.googleapis.com/generate_content with base model: gemini-pro. Limit ${whole(draw)}.`,
  ],
  [
    "json.decoder.JSONDecodeError",
    (draw) => `Expecting value: line ${whole(draw, 90)} column ${whole(draw, 90)} (char ${whole(draw)})`,
  ],
  [
    "json.decoder.JSONDecodeError",
    (draw) =>
      `Unterminated string starting at: line ${whole(draw, 90)} column ${whole(draw, 90)} (char ${whole(draw)})`,
  ],
  [
    "pydantic_core._pydantic_core.ValidationError",
    (draw) =>
      `1 validation error for Order\ncustomer\n  Field required [type=missing, input_value={'id': ${whole(draw)}, 'name': '${draw.pick(names)}'}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.${whole(draw, 12)}/v/missing`,
  ],
  [
    "pydantic_core._pydantic_core.ValidationError",
    (draw) =>
      `1 validation error for Order\namount\n  Input should be a valid number, unable to parse string as a number [type=float_parsing, input_value='${draw.pick(names)}', input_type=str]\n    For further information visit https://errors.pydantic.dev/2.${whole(draw, 12)}/v/float_parsing`,
  ],
  ["KeyError", (draw) => `'order_${whole(draw)}'`],
  ["ValueError", (draw) => `invalid literal for int() with base 10: '${draw.pick(["abc", "1,5", "ü", "x1"])}'`],
  ["ValueError", (draw) => `time data '${date(draw)}' does not match format '%d.%m.%Y'`],
  [
    "psycopg.errors.UniqueViolation",
    (draw) =>
      `duplicate key value violates unique constraint "orders_pkey"\nDETAIL:  Key (id, name)=(${whole(draw)}, ${draw.pick(names)}) already exists.`,
  ],
  [
    "psycopg.errors.DeadlockDetected",
    (draw) =>
      `deadlock detected\nDETAIL:  Process ${whole(draw)} waits for ShareLock on transaction ${whole(draw)}; blocked by process ${whole(draw)}.`,
  ],
  [
    "redis.exceptions.ConnectionError",
    (draw) => `Error ${whole(draw, 200)} connecting to cache-${whole(draw, 9)}.internal:6379. Connection refused.`,
  ],
  [
    "FileNotFoundError",
    (draw) => `[Errno 2] No such file or directory: '/srv/data/${draw.hex(8)}/${whole(draw)}.json'`,
  ],
  [
    "PermissionError",
    (draw) => `[Errno 13] Permission denied: '/var/lib/agent/${draw.pick(["a", "b"])}/${draw.hex(3)}.lock'`,
  ],
  ["langchain_core.exceptions.OutputParserException", (draw) => `Could not parse LLM output: ${draw.pick(prose)}`],
  ["RuntimeError", (draw) => `Agent stopped after ${whole(draw, 50)} iterations without an answer`],
  ["RuntimeError", (draw) => `Task ${uuid(draw)} was cancelled at ${date(draw)}`],
  ["Error", (draw) => `connect ECONNREFUSED ${address(draw)}`],
  ["Error", (draw) => `getaddrinfo ENOTFOUND api-${draw.hex(2)}1.example.org`],
  ["TypeError", () => "Cannot read properties of undefined (reading 'content')"],
  ["TypeError", () => "fetch failed"],
  [
    "SyntaxError",
    (draw) =>
      `Unexpected token '${draw.pick(["<", "}", "a", "'"])}', "${draw.pick(["<!DOCTYPE ", "} trailing", "an answer", "'quoted'"])}"... is not valid JSON`,
  ],
  [
    "ToolException",
    (draw) =>
      `Tool call call_${random(draw, 24)} failed: unknown customer ${draw.pick(names.slice(0, 2))}`.replace(
        /customer .*/,
        `customer #${whole(draw)}`,
      ),
  ],
  ["java.net.SocketTimeoutException", (draw) => `Read timed out after ${whole(draw)} ms`],
  ["java.lang.NullPointerException", () => 'Cannot invoke "Order.id()" because "order" is null'],
  [null, (draw) => `context deadline exceeded (Client.Timeout exceeded while awaiting headers) after ${whole(draw)}ms`],
  [null, (draw) => `请求 ${uuid(draw)} 在 ${whole(draw)} 毫秒后超时`],
  [null, (draw) => `Nutzer ${whole(draw)} hat kein Guthaben: ${whole(draw, 99)},${whole(draw, 99)} €`],
];

const paths: readonly (readonly (readonly [string, string])[])[] = [
  [
    ["tools/weather.EXT", "fetch"],
    ["agent/steps.EXT", "act"],
  ],
  [
    ["llm/client.EXT", "call"],
    ["agent/steps.EXT", "plan"],
  ],
  [["store/orders.EXT", "save"]],
];
const languages = ["python", "node", "java", "go", null] as const;

/** Every error at up to three places of a program, some of them in a tool. */
export const causes: readonly Cause[] = errors.flatMap(([type, message], at) =>
  paths.slice(0, 1 + (at % 3)).map((frames, place) => {
    const language = languages[(at + place) % languages.length]!;
    // Without frames the tool tells the places apart.
    const toolName = language === null ? ["weather", "orders", "mail"][place]! : at % 2 === 0 ? "weather" : null;
    return { type, message, language, frames, toolName };
  }),
);

/** One occurrence of the cause. */
export function failureOfCause({ type, message, language, frames, toolName }: Cause, draw: Draw): FailureEvidence {
  const text = message(draw);
  return {
    ...NO_FAILURE,
    kind: toolName === null ? "CHAIN" : "TOOL",
    toolName,
    name: toolName ?? "step",
    status: "ERROR",
    statusMessage: type === null ? text : `${type}: ${text}`,
    exceptions: [{ type, message: text, stackTrace: language === null ? null : stackOf(language, frames, text, draw) }],
  };
}

export function occurrences(
  seed: number,
  each: number,
): { readonly cause: number; readonly evidence: FailureEvidence }[] {
  const draw = drawFrom(seed);
  return causes.flatMap((cause, at) =>
    Array.from({ length: each }, () => ({ cause: at, evidence: failureOfCause(cause, draw) })),
  );
}

function stackOf(
  language: NonNullable<Cause["language"]>,
  frames: Cause["frames"],
  message: string,
  draw: Draw,
): string {
  const line = () => whole(draw, 400);
  const root = draw.pick([`/app/build-${whole(draw)}`, "/app", `/srv/releases/${draw.hex(4)}1`, "/home/agent/src"]);
  const many = <Value>(values: readonly Value[]) => values.slice(0, whole(draw, values.length + 1) - 1);
  const at = (file: string, ending: string) => `${root}/${file.replace("EXT", ending)}`;
  if (language === "python") {
    const libraries = many([
      `${root}/venv/lib/python3.1${whole(draw, 3)}/site-packages/httpx/_client.py`,
      "/usr/lib/python3.12/asyncio/tasks.py",
    ]);
    return [
      "Traceback (most recent call last):",
      ...frames.map(
        ([file, name]) =>
          `  File "${at(file, "py")}", line ${line()}, in ${name}\n    result = ${name}()\n             ^^^^`,
      ),
      ...libraries.map((file) => `  File "${file}", line ${line()}, in inner`),
      message,
    ].join("\n");
  }
  if (language === "node") {
    const libraries = many([
      "node:internal/process/task_queues:105:5",
      `${root}/node_modules/undici/lib/fetch.js:${line()}:7`,
    ]);
    return [
      `Error: ${message}`,
      ...frames.map(([file, name]) => `    at async ${name} (file://${at(file, "ts")}:${line()}:${line()})`),
      ...libraries.map((place) => `    at inner (${place})`),
    ].join("\n");
  }
  if (language === "java") {
    const libraries = many([
      "java.base/java.lang.Thread.run(Thread.java:1583)",
      "org.springframework.web.Filter.doFilter(Filter.java:33)",
    ]);
    const typeOf = (file: string) => `com.acme.${file.replace(".EXT", "").replace("/", ".")}`;
    return [
      message,
      ...frames.map(([file, name]) => `\tat ${typeOf(file)}.${name}(File.java:${line()})`),
      ...libraries.map((each) => `\tat ${each}`),
    ].join("\n");
  }
  const libraries = many(["runtime.main()\n\t/usr/local/go/src/runtime/proc.go:250 +0x1c"]);
  return [
    `goroutine ${whole(draw)} [running]:`,
    ...frames.map(
      ([file, name]) => `main.${name}(0x${draw.hex(6)}, 0x1)\n\t${at(file, "go")}:${line()} +0x${draw.hex(1)}`,
    ),
    ...libraries,
  ].join("\n");
}
