// The examples of docs/filters.md are run: each line of a block is a condition, its comment says what it matches.
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { analyse, type LanguageGrain } from "../../src/filter/analyse.ts";
import * as limits from "../../src/filter/limits.ts";
import { vectorData } from "../support/filter-data.ts";
import { matching } from "../support/filter-evaluator.ts";
import { evaluatedData, parentOf, type SessionRow, type SpanRow, type TraceRow } from "../support/filter-rows.ts";

const guide = readFileSync(new URL("../../docs/filters.md", import.meta.url), "utf8");
const rows = evaluatedData(vectorData);

const lines = [...guide.matchAll(/```(refused )?(span|trace|session)\n([\s\S]*?)\n```/g)].flatMap(
  ([, refused, grain, block]) =>
    block!.split("\n").map((line) => {
      const [, condition, comment] = /^(.*?) {2,}# ?(.*)$/.exec(line) ?? [];
      return {
        isRefused: refused !== undefined,
        example: [grain as Exclude<LanguageGrain, "run">, condition!, comment!] as const,
      };
    }),
);
const examples = lines.filter(({ isRefused }) => !isRefused).map(({ example }) => example);
const refusedExamples = lines.filter(({ isRefused }) => isRefused).map(({ example }) => example);

function names(grain: Exclude<LanguageGrain, "run">, condition: string): string {
  const tree = analyse(grain, condition);
  const found = {
    span: () => matching<SpanRow>(tree, rows.spans, rows).map(({ span }) => span.name),
    trace: () =>
      matching<TraceRow>(tree, rows.traces, rows).map(
        ({ spans }) => spans.find((span) => parentOf(span) === null)!.span.name,
      ),
    session: () => matching<SessionRow>(tree, rows.sessions, rows).map(({ key }) => key),
  }[grain]();
  return found.sort().join(", ");
}

describe("the guide's examples", () => {
  test.each(examples)("%s: %s matches %s", (grain, condition, matches) => {
    expect(names(grain, condition)).toBe(matches);
  });

  test.each(refusedExamples)("%s: %s is refused: %s", (grain, condition, message) => {
    expect(() => analyse(grain, condition)).toThrow(message);
  });

  test("are there in number", () => {
    expect(examples.length).toBeGreaterThan(35);
    expect(refusedExamples.length).toBeGreaterThan(9);
  });
});

test("the guide names every limit", () => {
  const numbers = [
    limits.MAX_CONDITION_CHARACTERS,
    limits.MAX_TERMS,
    limits.MAX_BRACKETS,
    limits.MAX_DEPTH,
    limits.MAX_LIST_MEMBERS,
    limits.MAX_COMPREHENSIONS,
    limits.MAX_ANNOTATION_NAMES,
    limits.MAX_PATH_STEPS,
  ];
  const paragraph = guide.slice(guide.indexOf("## Limits"));
  for (const number of numbers) expect(paragraph).toContain(number.toLocaleString("en"));
});
