// The parser and the typing rules: what is a condition, how everything else is refused, and that nothing else can happen.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { analyse, type LanguageGrain } from "../../src/filter/analyse.ts";
import { rootScopeOf } from "../../src/filter/root-scope.ts";
import { similarity } from "../../src/filter/suggestion.ts";
import { Failure } from "../../src/kernel/failure.ts";
import {
  additionVectors,
  type FilterVector,
  rootScopeVectors,
  sessionVectors,
  spanVectors,
  traceVectors,
} from "./vectors.ts";

const suites: readonly [string, LanguageGrain, readonly FilterVector[]][] = [
  ["spans", "span", spanVectors],
  ["traces", "trace", traceVectors],
  ["sessions", "session", sessionVectors],
  ["spans with costs", "span", additionVectors],
];

/** The message of the refusal, or null. */
function refusal(grain: LanguageGrain, condition: string): string | null {
  try {
    analyse(grain, condition);
    return null;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error.code).toBe("filter.invalid");
    return error.message;
  }
}

describe.each(suites)("a condition on %s", (_name, grain, vectors) => {
  const refused = vectors.filter(({ expect: { error } }) => error !== undefined);
  const accepted = vectors.filter(({ expect: { error } }) => error === undefined);

  test.each(refused.map((vector) => [vector.condition.slice(0, 100), vector] as const))(
    "%s is refused",
    (_, vector) => {
      const message = refusal(grain, vector.condition);
      expect(message).toContain(vector.expect.error!);
      if (vector.expect.character !== undefined) expect(message).toEndWith(` at character ${vector.expect.character}`);
    },
  );

  test.each(accepted.map((vector) => [vector.condition.slice(0, 100), vector] as const))("%s is one", (_, vector) => {
    expect(refusal(grain, vector.condition)).toBeNull();
  });
});

describe("root scope", () => {
  test.each(rootScopeVectors.map(({ condition, expect: roots }) => [condition, roots] as const))(
    "%s: %p",
    (text, roots) => {
      let selects = false;
      try {
        const condition = analyse("span", text);
        selects = condition !== null && rootScopeOf(condition) !== null;
      } catch (error) {
        expect(error).toBeInstanceOf(Failure);
      }
      expect(selects).toBe(roots);
    },
  );
});

describe("positions", () => {
  test.each([
    ["name == 'ü' &&", "invalid syntax at character 14"],
    ["name == '😀' ! 1", "invalid syntax at character 13"],
    ["(name ==\n'a' $)", "invalid syntax at character 5"],
    ["name == 'a'\n  name", "invalid syntax at character 3"],
  ])("%j counts characters in its line", (condition, message) => {
    expect(refusal("span", condition)).toBe(message);
  });
});

describe("limits", () => {
  const repeated = (text: string, times: number) => text.repeat(times);
  test.each([
    ["characters", `name == '${repeated("a", 65_600)}'`, "too long"],
    ["terms", `name == 'a'${repeated(" or name == 'a'", 2_000)}`, "too many terms"],
    ["list members", `name in [${repeated("'a',", 5_001)}]`, "too many members"],
    ["brackets", repeated("(", 60_000), "too many nested parentheses at character 201"],
    ["list brackets", repeated("[", 60_000), "nested too deeply"],
    ["signs", `${repeated("-", 60_000)}1 > 2`, "nested too deeply at character 51"],
    ["negations", `${repeated("not ", 12_000)}name == 'a'`, "nested too deeply"],
    ["sums", `1${repeated("+1", 30_000)} > 1`, "nested too deeply"],
    ["dots", `a${repeated(".a", 30_000)} == 1`, "nested too deeply"],
    ["subscripts", `attributes${repeated("['a']", 10_000)} == 1`, "nested too deeply"],
    ["powers", `1${repeated("**1", 20_000)} > 1`, "nested too deeply"],
    ["lambdas", `${repeated("lambda:", 9_000)}1`, "nested too deeply"],
    ["alternatives", `${repeated("a if a else ", 5_000)}1`, "nested too deeply"],
    [
      "comprehensions",
      `total_cost > 1${repeated(" or any(d.is_prompt for d in cost_details)", 21)}`,
      "too many comprehensions",
    ],
    [
      "names of annotations",
      Array.from({ length: 33 }, (_, at) => `annotations['a${at}']`).join(" or "),
      "too many annotations",
    ],
    ["path steps", `attributes[[${repeated("'a',", 40)}]] == 1`, "too many steps"],
    ["digits", `latency_ms > ${repeated("9", 5_000)}`, "too many digits"],
    ["opened texts", repeated("'''", 20_001), "unterminated"],
    ["quotes", repeated("'' ", 20_000), "is not a condition"],
    ["names alike", `nmae${repeated("x", 60_000)} > 1 + 'a'`, "invalid arithmetic operands"],
  ])("too many %s end at once", (_what, condition, message) => {
    expect(refusal("span", condition)).toContain(message);
  });

  test("five thousand ids in a list and two hundred groups are fine", () => {
    const ids = Array.from({ length: 5_000 }, (_, at) => `'${at}'`).join(",");
    expect(refusal("span", `span_id in [${ids}]`)).toBeNull();
    expect(refusal("trace", `${repeated("(", 200)}num_spans > 1${repeated(")", 200)}`)).toBeNull();
  });
});

test("likeness is twice the common characters over all", () => {
  expect(similarity("abcd", "abcd")).toBe(1);
  expect(similarity("abcd", "wxyz")).toBe(0);
  expect(similarity("nm_spans", "num_spans")).toBeCloseTo(16 / 17);
});

describe("whatever is written", () => {
  const words =
    `name latency_ms attributes metadata annotations parent_span span_kind start_time total_cost cost_details spans
    any all len sum max min float str int d s x . , : ; ( ) [ ] { } == != < <= > >= = + - * / % ** // & | ^ ~ @ and or not is in
    if else for lambda async await None True False 'a' "b" '2024-01-01T00:00:00Z' b'x' f'y' 1 2.5 1e400 0x1F 1_000 1j ...
    \n \\ ' " # $ ü ｎ num_spans any_input user.id s.children trace_annotations session_annotations['q'] attributes['a']`.split(
      / +/,
    );
  const grains = ["span", "trace", "session"] as const;
  const onlyFailures = (condition: string) => {
    for (const grain of grains) {
      const message = refusal(grain, condition);
      if (message !== null) expect(message.length).toBeLessThan(700);
    }
  };

  test("in words of the languages: a tree or a named refusal", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 25 }), (parts) => onlyFailures(parts.join(" "))),
      { numRuns: 5_000 },
    );
  }, 30_000);

  test("in any characters: a tree or a named refusal", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 60 }), onlyFailures), { numRuns: 3_000 });
  }, 30_000);

  test("in vectors with a part cut out or doubled: a tree or a named refusal", () => {
    const all = [...spanVectors, ...traceVectors, ...sessionVectors].map(({ condition }) => condition);
    const part = fc.tuple(fc.constantFrom(...all), fc.nat(200), fc.nat(20), fc.nat(3));
    fc.assert(
      fc.property(part, ([text, from, length, times]) =>
        onlyFailures(text.slice(0, from) + text.slice(from, from + length).repeat(times) + text.slice(from + length)),
      ),
      { numRuns: 3_000 },
    );
  });
});

describe("the place of a mistake", () => {
  const placed = (grain: LanguageGrain, condition: string) => {
    try {
      analyse(grain, condition);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { range } = error.details;
      return range === undefined ? null : [condition.slice(range.start, range.end), range.start];
    }
    return "none";
  };

  test.each([
    ["span", "name == 'a' and latency_ms", "latency_ms", 16],
    ["span", "  latency_ms > '100'", "latency_ms > '100'", 2],
    ["span", "name == 'a' or (latency_ms + name > 1)", "latency_ms + name", 16],
    ["span", "name.upper() == 'X'", "name.upper()", 0],
    ["span", "\n name == 'a' b", "b", 14],
    ["span", "name ==", "", 7],
    ["span", "name == 'a", "'", 8],
    ["span", "any(d.nope > 1 for d in cost_details)", "d.nope", 4],
    ["span", "start_time > '2024-01-01'", "start_time > '2024-01-01'", 0],
    ["trace", "num_spans > 1 and nm_spans > 1", "nm_spans", 18],
    ["trace", "any(s.nope == 1 for s in spans)", "s.nope", 4],
    ["session", "  num_traces > int('1')", "int('1')", 15],
  ] as const)("%s: %j points at %j", (grain, condition, fragment, start) => {
    expect(placed(grain, condition)).toEqual([fragment, start]);
  });

  test("is known for every refusal of the vectors, and lies within the text", () => {
    for (const [, grain, vectors] of suites) {
      for (const { condition } of vectors) {
        const found = placed(grain, condition);
        if (found === "none") continue;
        expect([condition.slice(0, 80), found]).not.toContain(null);
        expect(found?.[1]).toBeWithin(0, condition.length + 1);
      }
    }
  });
});
