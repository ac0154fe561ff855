// The data set that made-up conditions are asked of: that of the vectors, and spans whose attributes hold what such conditions
// stumble over.
import { type AnnotationRow, type FilterData, incomingSpans, vectorData } from "./filter-data.ts";
import type { OtlpSpan } from "./otlp-encode.ts";
import { otlpAttributes } from "./otlp-encode.ts";

export const oddValues: readonly unknown[] = [
  0,
  -0.0001,
  1.5,
  -2.25,
  12,
  1e15,
  1e21,
  1e300,
  5e-324,
  1e-7,
  -1.5e-9,
  1e160,
  1e-160,
  0.1,
  0.3,
  100,
  9_007_199_254_740_991,
  "",
  " ",
  "0",
  "-0",
  "1",
  "1.0",
  "+5",
  ".5",
  "5.",
  " 7 ",
  "\t8\n",
  "1e5",
  "1E-5",
  "1e400",
  "1e-400",
  "0x10",
  "1_000",
  "nan",
  "inf",
  "-inf",
  "1e",
  "--1",
  "1 2",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775808",
  "123456789012345678901234567890",
  "0.1000000000000000055511151231257827",
  "00012",
  "٣",
  "true",
  "TRUE",
  "False",
  " true",
  "yes",
  "null",
  "None",
  "Ünï",
  "ÜNÏ",
  "ß",
  "ẞ",
  "SS",
  "İstanbul",
  "ΟΔΟΣ",
  "οδος",
  "K",
  "ﬁ",
  "日本",
  "😀",
  "it's",
  'say "hi"',
  "a\\b",
  "100%",
  "a_b",
  "a\nb",
  "[1,2]",
  "{}",
  true,
  false,
  [1, "a", true],
  [],
  ["Ünï", [0.5, "deep"]],
  { k: "v" },
  { k: { "0": "zero" } },
  [{ k: 1 }],
  "x",
  "llm-call",
  "guard",
];

/** Inside a list or object the databases spell very large and very small numbers differently. */
const withoutExponent = (value: unknown) => (typeof value === "number" && String(value).includes("e") ? 3.5 : value);

const oddSpans: readonly OtlpSpan[] = oddValues.map((value, at) => ({
  name: ["llm-call", "Ünï", "a_b", "100%", ""][at % 5]!,
  traceId: (0xacef00 + (at >> 3)).toString(16).padStart(32, "0"),
  spanId: (0xbef000 + at).toString(16).padStart(16, "0"),
  ...(at % 8 === 0
    ? {}
    : {
        parentSpanId: (0xbef000 + (at % 8 === 7 ? 9999 : at - 1 - (at % 3 === 0 && at % 8 > 1 ? 1 : 0)))
          .toString(16)
          .padStart(16, "0"),
      }),
  startTimeUnixNano: String(1_704_067_200_000_000_000n + BigInt(at) * 1_250_000_000n),
  endTimeUnixNano: String(
    1_704_067_200_000_000_000n + BigInt(at) * 1_250_000_000n + BigInt((at * 7919) % 3000) * 250_000n,
  ),
  status: { code: at % 3, message: at % 3 === 2 ? "Broken Ünï" : "" },
  attributes: otlpAttributes({
    x: value,
    "y.z": oddValues[(at * 7 + 3) % oddValues.length],
    metadata: JSON.stringify({ n: at % 4, mixed: withoutExponent(oddValues[(at * 3 + 1) % oddValues.length]) }),
    'odd key\'s "name"': at,
    "input.value": `input ${String(value)}`,
    ...(at % 4 === 0 ? { "output.value": "Done ÜNÏ" } : {}),
    ...(at % 8 < 2 ? { "session.id": `session-${at >> 5}` } : {}),
    ...(at % 5 === 0 ? { "user.id": `u${at % 3}` } : {}),
    "openinference.span.kind": ["LLM", "tool", "CHAIN", "nosuch"][at % 4],
    "llm.token_count.prompt": at % 17,
    "llm.token_count.completion": at % 7,
  }),
}));

/** One, two or no annotations of each name on every row; scores whose sums are exact. */
const oddAnnotations: readonly AnnotationRow[] = oddSpans.flatMap(({ spanId, traceId }, at) => {
  const annotation = (owner: AnnotationRow["owner"], key: string, name: string, nth: number): AnnotationRow => {
    const value = oddValues[(at * 5 + nth * 11) % oddValues.length];
    return {
      owner,
      key,
      name,
      label: typeof value === "string" ? value : nth % 2 === 0 ? null : "good",
      score: (at + nth) % 4 === 0 ? null : ((at * 13 + nth * 7) % 41) / 4 - 5,
      explanation: (at + nth) % 3 === 0 ? null : `Because ${String(value)}`,
      identifier: nth === 0 ? "" : `rev-${nth}`,
      annotatorKind: nth === 0 ? "HUMAN" : at % 2 === 0 ? "LLM" : "CODE",
    };
  };
  const some = (owner: AnnotationRow["owner"], key: string, name: string, count: number) =>
    Array.from({ length: count }, (_, nth) => annotation(owner, key, name, nth));
  return [
    ...some("span", spanId!, "q", at % 3),
    ...some("span", spanId!, "it's", at % 4 === 1 ? 1 : 0),
    ...(at % 8 === 0 ? some("trace", traceId!, "q", (at / 8) % 3) : []),
    ...(at % 32 === 0 ? some("session", `session-${at >> 5}`, "q", (at / 32) % 3) : []),
  ];
});

/** The data set of the vectors and the odd values, with costs on every ninth of those. */
export const conditionData: FilterData = {
  spans: [...vectorData.spans, ...incomingSpans("odd", oddSpans)],
  costs: new Map([
    ...vectorData.costs,
    ...oddSpans
      .filter((_, at) => at % 9 === 0)
      .map(({ spanId }, at): [string, NonNullable<ReturnType<typeof vectorData.costs.get>>] => {
        const cost = at % 3 === 2 ? null : BigInt(at) * 250_000_000_000n;
        const details = [
          { tokenType: "input", isPrompt: true, tokens: at * 8, cost },
          { tokenType: "cache_read", isPrompt: true, tokens: at % 2 === 0 ? null : 3, cost: at % 2 === 0 ? 1n : null },
          { tokenType: "output", isPrompt: false, tokens: 4, cost: cost === null ? null : cost / 2n },
        ];
        return [spanId!, { prompt: cost, completion: cost, total: cost === null ? null : cost * 2n, details }];
      }),
  ]),
  annotations: [...vectorData.annotations, ...oddAnnotations],
};
