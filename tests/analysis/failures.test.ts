// Failures against the vectors, against generated failures of known causes, and by single cases.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { FailureEvidence } from "../../src/analysis/failures/failure-evidence.ts";
import { maskedText } from "../../src/analysis/failures/masked-text.ts";
import { programFrames } from "../../src/analysis/failures/program-frames.ts";
import { readSpanFailure } from "../../src/analysis/failures/read-failure.ts";
import { spanFailureOf } from "../../src/analysis/failures/span-failure.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import { NO_FAILURE, occurrences } from "./failure-corpus.ts";
import { vectorRows } from "./vectors.ts";

interface FailureRow {
  readonly group: string;
  readonly "exception.type": string;
  readonly "exception.message": string;
  readonly "exception.stacktrace": string | null;
}

function fingerprintOf(evidence: FailureEvidence): string | null {
  return spanFailureOf(evidence)?.fingerprint ?? null;
}

/** Shares of pairs that are judged rightly: of pairs of one cause, and of pairs of two. */
function sharesOfPairs(labelled: readonly { readonly cause: unknown; readonly group: unknown }[]) {
  const counts = { same: 0, sameFound: 0, different: 0, differentFound: 0 };
  labelled.forEach((one, at) => {
    for (const other of labelled.slice(at + 1)) {
      const [isSame, isFound] = [one.cause === other.cause, one.group === other.group];
      counts[isSame ? "same" : "different"]++;
      if (isSame === isFound) counts[isSame ? "sameFound" : "differentFound"]++;
    }
  });
  return { same: counts.sameFound / counts.same, different: counts.differentFound / counts.different };
}

describe("fingerprints", () => {
  test("put the failures of the vectors into their groups", async () => {
    const rows = await vectorRows<FailureRow>("failure-groups");
    expect(rows.length).toBe(84);
    const labelled = rows.map((row) => {
      const exception = {
        type: row["exception.type"],
        message: row["exception.message"],
        stackTrace: row["exception.stacktrace"],
      };
      return { cause: row.group, group: fingerprintOf({ ...NO_FAILURE, status: "ERROR", exceptions: [exception] }) };
    });
    expect(sharesOfPairs(labelled)).toEqual({ same: 1, different: 1 });
  });

  test("are equal for 99 % of the pairs of one cause and different for 99 % of the pairs of two", () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const labelled = occurrences(seed, 12).map(({ cause, evidence }) => ({
          cause,
          group: fingerprintOf(evidence),
        }));
        const { same, different } = sharesOfPairs(labelled);
        expect(same).toBeGreaterThanOrEqual(0.99);
        expect(different).toBeGreaterThanOrEqual(0.99);
      }),
      { numRuns: 4 },
    );
  });

  test("tell apart what the message, the place, the tool, the status and the code of the provider say", () => {
    const failed = (more: Partial<FailureEvidence>, message = "it failed") =>
      fingerprintOf({
        ...NO_FAILURE,
        status: "ERROR",
        exceptions: [{ type: "E", message, stackTrace: null }],
        ...more,
      });
    const stackTrace = 'Traceback (most recent call last):\n  File "/app/a.py", line 1, in f';
    const all = [
      failed({}),
      failed({}, "it stopped"),
      failed({ httpStatus: 500 }),
      failed({ kind: "TOOL", toolName: "mail" }),
      failed({ kind: "TOOL", toolName: "search" }),
      failed({ exceptions: [{ type: "E", message: "it failed", stackTrace }] }),
      failed({ exceptions: [{ type: "F", message: "it failed", stackTrace: null }] }),
      failed({}, '{"message": "it failed", "code": "a"}'),
      failed({}, '{"message": "it failed", "code": "b"}'),
    ];
    expect(new Set(all).size).toBe(all.length);
  });

  test("are those of the status where no exception was recorded", () => {
    const failed = (more: Partial<FailureEvidence>) => fingerprintOf({ ...NO_FAILURE, status: "ERROR", ...more });
    const byStatus = failed({ statusMessage: "ValueError: no order 5" });
    expect(byStatus).toBe(failed({ exceptions: [{ type: "ValueError", message: "no order 77", stackTrace: null }] }));
    expect(byStatus).not.toBe(failed({ statusMessage: "no order 5" }));
  });
});

describe("masking", () => {
  test.each([
    ["Request req_8fKq timed out after 3.5s", "Request req_… timed out after …"],
    ["user 'Bob O'Neill' isn't on the customers' list", "user … isn't on the customers' list"],
    ["at Tue, 24 Nov 2026 06:10:31 GMT from fe80::1ff:fe23:890a", "at … from …"],
    ["[1, 2, 3] and [\"a\", 'b', 5]", "[…] and […]"],
    [
      "no foo.bar, and/or application/json in ./x.py of C:\\Users\\bob\\x.txt",
      "no foo.bar, and/or application/json in … of …",
    ],
    [
      "ConnectionResetByPeerException of worker12 and aKqWzjPlmXbTyUoP",
      "ConnectionResetByPeerException of worker… and …",
    ],
    ["Key (mail)=(Foo Bar) exists for a.b+c@example.org", "Key (mail)=… exists for …"],
    ["ошибка 5 в строке 7: слово 「東京」 で 3 件", "ошибка … в строке …: слово … で … 件"],
    ["moved by -5 and +3.2e-7 to 0x7fff, 30 %, 12:30:01 or 5µs", "moved by … and … to … %, … or …"],
    ["a\n\t  b", "a b"],
    ['it said: "unclosed', 'it said: "unclosed'],
  ])("%p", (text, masked) => {
    expect(maskedText(text)).toBe(masked);
  });

  test("changes nothing more when it is repeated, and is never long", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 3000, unit: fc.constantFrom(..."a b'\"/\\:.-_=([{1„“@~…\n") }), (text) => {
        const masked = maskedText(text);
        expect(masked.length).toBeLessThanOrEqual(400);
        // Quotes that a mask comes between may pair in another way.
        if (!/['"„“]/.test(masked)) expect(maskedText(masked)).toBe(masked);
      }),
    );
  });
});

describe("program frames", () => {
  test.each([
    [
      "JavaScript",
      "Error: x\n    at run (/app/src/agent/run.ts:1:2)\n    at async act (file:///srv/app/agent/act.js:3:4)\n    at node:internal/process:9:5\n    at z (/app/node_modules/x/y.js:1:1)\n    at C:\\proj\\agent\\x.ts:1:2",
      ["agent/run.ts:run", "agent/act.js:act", "agent/x.ts:"],
    ],
    [
      "Java",
      "x\n\tat com.acme.Foo$1.bar(Foo.java:12)\n\tat java.base/java.lang.Thread.run(Thread.java:1)\nCaused by: y\n\tat com.acme.Foo.lambda$baz$0(Foo.java:33)",
      ["com.acme.Foo:bar", "com.acme.Foo:lambda$baz"],
    ],
    [
      "C#",
      "   at Acme.Foo.Bar(String x, Int32 y) in /src/Foo.cs:line 12\n   at System.Threading.Task.Run()",
      ["Acme.Foo:Bar"],
    ],
    [
      "Go",
      "goroutine 1 [running]:\nmain.(*Agent).run(0xc000, 0x1)\n\t/home/b/proj/agent/run.go:12 +0x1d\nruntime.main()\n\t/usr/local/go/src/runtime/proc.go:250 +0x1c",
      ["agent/run.go:main.(*Agent).run"],
    ],
    [
      "Ruby",
      "/app/x.rb:12:in `find'\n\tfrom /app/agent/y.rb:3:in 'Agent#run'\n\tfrom /usr/lib/ruby/gems/3.0/gems/x/z.rb:1:in `z'",
      ["x.rb:find", "agent/y.rb:run"],
    ],
    [
      "PHP",
      "#0 /app/src/Tools/x.php(12): Foo->bar('x')\n#1 /app/vendor/a/b.php(1): a()\n#2 {main}",
      ["Tools/x.php:Foo->bar"],
    ],
    [
      "Rust",
      "   5: agent::find::h0123456789abcdef\n             at ./src/tools.rs:12:5\n   6: core::ops\n             at /rustc/abc/library/core/ops.rs:250:5",
      ["tools.rs:agent::find"],
    ],
    ["a recursion", `Traceback\n${'  File "/app/a.py", line 3, in walk\n'.repeat(900)}`, ["a.py:walk"]],
    ["a trace of the runtime alone", "Error\n    at node:internal/timers:5:1", []],
  ])("of %s", (_language, stackTrace, frames) => {
    expect(programFrames(stackTrace)).toEqual(frames);
  });
});

describe("failures that throw nothing", () => {
  const answer = (message: JsonObject, llm: JsonObject = {}): JsonObject => ({
    llm: { output_messages: [{ message }], ...llm },
  });
  const call = (text: string): JsonObject => ({
    tool_calls: [{ tool_call: { function: { name: "f", arguments: text } } }],
  });
  const json: JsonObject = { invocation_parameters: '{"response_format": {"type": "json_schema"}}' };

  test.each<readonly [string, "LLM" | "TOOL" | "GUARDRAIL" | "CHAIN", JsonObject, string | null]>([
    ["an answer", "LLM", answer({ content: "yes" }), null],
    ["an empty answer", "LLM", answer({ content: " " }), "empty_answer"],
    ["no answer recorded", "LLM", {}, null],
    ["a picture as answer", "LLM", answer({ contents: [{ message_content: { type: "image" } }] }), null],
    ["an answer cut at the limit", "LLM", answer({ content: "yes, b" }, { finish_reason: "max_tokens" }), "cut_answer"],
    [
      "cut, as another provider writes it",
      "LLM",
      answer({ content: "{" }, { ...json, finish_reason: "MAX_TOKENS" }),
      "cut_answer",
    ],
    ["JSON as asked for", "LLM", answer({ content: '{"a": 1}' }, json), null],
    ["no JSON where it was asked for", "LLM", answer({ content: "```json\n{}\n```" }, json), "invalid_json"],
    ["text where text was asked for", "LLM", answer({ content: "{" }), null],
    ["a call of a tool", "LLM", answer(call('{"a": 1}'), json), null],
    ["a call whose arguments are cut", "LLM", answer(call('{"a": ')), "refused_arguments"],
    ["an answer of a filter", "LLM", answer({ content: "" }, { finish_reason: "content_filter" }), "blocked"],
    [
      "a tool that refuses",
      "TOOL",
      { output: { value: '{"isError": true, "content": "missing required argument city"}' } },
      "refused_arguments",
    ],
    ["a tool that finds nothing", "TOOL", { output: { value: '{"error": "no such order"}' } }, null],
    ["a tool about parameters", "TOOL", { output: { value: "required parameters are listed below" } }, null],
    ["a guardrail that lets through", "GUARDRAIL", { output: { value: '{"allowed": true}' } }, null],
    ["a guardrail that blocks", "GUARDRAIL", { output: { value: '{"allowed": false}' } }, "blocked"],
    ["a chain with an empty output", "CHAIN", { output: { value: "" } }, null],
  ])("%s", (_what, kind, attributes, expected) => {
    const span = { kind, name: "step", status: "OK", statusMessage: "" } as const;
    expect(readSpanFailure(span, attributes, [])?.kind ?? null).toBe(expected as never);
  });

  test("an error is read from the last exception among the events, and from the status without one", () => {
    const exception = (type: string): Json => ({
      name: "exception",
      attributes: { "exception.type": type, "exception.message": "m" },
    });
    const span = { kind: "TOOL", name: "step", status: "ERROR", statusMessage: "B: n" } as const;
    const attributes = { tool: { name: "mail" }, http: { response: { status_code: 502 } } };
    expect(readSpanFailure(span, attributes, [exception("A"), { name: "log" }, exception("B")])).toMatchObject({
      kind: "error",
      type: "B",
      message: "m",
      httpStatus: 502,
      toolName: "mail",
    });
    expect(readSpanFailure({ ...span, statusMessage: "KeyError: n" }, {}, [])).toMatchObject({
      type: "KeyError",
      message: "n",
    });
  });
});
