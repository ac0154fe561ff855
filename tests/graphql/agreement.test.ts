// Agreement of people and programs in GraphQL: against pairs that are counted one by one, and against the lists that its cells lead
// to, on both databases.

import { beforeAll, expect, test } from "bun:test";
import { ingestBatch } from "../../src/ingest/ingest-batch.ts";
import { formatInstant } from "../../src/kernel/time.ts";
import { differenceCondition, pairCondition } from "../../src/web/pages/metrics/agreement-links.ts";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { incomingSpan, START_US } from "../support/spans.ts";
import { openForSuite } from "../support/suite.ts";

const ITEMS = 120;
const MINUTE_US = 60_000_000;
const NAME = 'it\'s "good"';

interface Said {
  readonly item: number;
  readonly name: string;
  readonly kind: "HUMAN" | "LLM" | "CODE";
  readonly identifier: string;
  readonly label?: string;
  readonly score?: number;
}

const labels = ["yes", "no", "perhaps"];
/** Labels of one or two people and programs, stars, shares, and texts that are nearly all different. */
const said: readonly Said[] = Array.from({ length: ITEMS }, (_, item): Said[] => {
  const label = (step: number) => labels[(item * step) % 7 < 4 ? 0 : (item + step) % 3]!;
  const given: Said[] = [{ item, name: NAME, kind: "HUMAN", identifier: "a", label: label(3) }];
  if (item % 5 !== 0) given.push({ item, name: NAME, kind: "LLM", identifier: "b", label: label(5) });
  if (item % 4 === 0) given.push({ item, name: NAME, kind: "HUMAN", identifier: "c", label: label(2) });
  if (item % 6 === 0) given.push({ item, name: NAME, kind: "CODE", identifier: "d", label: label(4), score: 1 });
  given.push({ item, name: "stars", kind: "HUMAN", identifier: "a", score: 1 + (item % 5) });
  given.push({ item, name: "stars", kind: "CODE", identifier: "b", score: 1 + ((item * item) % 5) });
  if (item < 90) {
    given.push({ item, name: "share", kind: "HUMAN", identifier: "a", score: ((item * 31) % 101) / 100 });
    given.push({ item, name: "share", kind: "LLM", identifier: "b", score: ((item * 37) % 101) / 100 });
  }
  if (item < 60) {
    given.push({ item, name: "texts", kind: "HUMAN", identifier: "a", label: `text ${item % 20}` });
    given.push({ item, name: "texts", kind: "LLM", identifier: "b", label: `text ${(item + (item % 3)) % 20}` });
  }
  if (item < 9) {
    given.push({ item, name: "alike", kind: "HUMAN", identifier: "a", label: "yes" });
    given.push({ item, name: "alike", kind: "LLM", identifier: "b", label: "yes" });
  }
  // Nothing to compare: a score beside a label, and people alone.
  given.push({ item, name: "apart", kind: "HUMAN", identifier: "a", label: "yes" });
  given.push({ item, name: "apart", kind: "LLM", identifier: "b", score: 1 });
  given.push({ item, name: "people", kind: "HUMAN", identifier: "a", label: "yes" });
  return given;
}).flat();

interface Category {
  readonly label: string | null;
  readonly min: number | null;
  readonly max: number | null;
}

interface Agreement {
  readonly name: string;
  readonly categories: Category[];
  readonly cells: { people: number; programs: number; count: number }[];
  readonly pairCount: number;
  readonly agreedCount: number;
  readonly omittedPairCount: number;
  readonly kappa: number | null;
}

/** Pairs of words about one item, each different pair once. */
function pairsOf(name: string, items: readonly [from: number, to: number], word: (each: Said) => string | null) {
  const pairs: [people: string, programs: string][] = [];
  for (let item = items[0]; item < items[1]; item++) {
    const about = said.filter((each) => each.item === item && each.name === name);
    const seen = new Set<string>();
    for (const person of about.filter(({ kind }) => kind === "HUMAN")) {
      for (const program of about.filter(({ kind }) => kind !== "HUMAN")) {
        const [one, other] = [word(person), word(program)];
        if (one === null || other === null || seen.has(`${one} ${other}`)) continue;
        seen.add(`${one} ${other}`);
        pairs.push([one, other]);
      }
    }
  }
  return pairs;
}

function kappaOf(pairs: readonly [string, string][]): number | null {
  const share = (test: (pair: [string, string]) => boolean) =>
    pairs.filter((pair) => test(pair as never)).length / pairs.length;
  const words = [...new Set(pairs.flat())];
  const byChance = words.reduce((sum, word) => sum + share(([a]) => a === word) * share(([, b]) => b === word), 0);
  return byChance > 1 - 1e-12 ? null : (share(([a, b]) => a === b) - byChance) / (1 - byChance);
}

function categoryOf({ categories }: Agreement, score: number): string {
  const at = categories.findIndex(({ min, max }, index) =>
    min === max ? score === min : score >= min! && (score < max! || (index === categories.length - 1 && score === max)),
  );
  return String(at);
}

function expectCounted(agreement: Agreement, pairs: readonly [string, string][], shown: readonly string[]): void {
  const cells = new Map<string, number>();
  for (const [people, programs] of pairs) {
    const key = `${shown.indexOf(people)} ${shown.indexOf(programs)}`;
    if (!key.includes("-1")) cells.set(key, (cells.get(key) ?? 0) + 1);
  }
  const found = agreement.cells.map(({ people, programs, count }) => [`${people} ${programs}`, count] as const);
  expect(new Map<string, number>(found)).toEqual(cells);
  expect(agreement.pairCount).toBe(pairs.length);
  expect(agreement.agreedCount).toBe(pairs.filter(([a, b]) => a === b).length);
  expect(agreement.omittedPairCount).toBe(pairs.length - [...cells.values()].reduce((a, b) => a + b, 0));
  const kappa = kappaOf(pairs);
  if (kappa === null) expect(agreement.kappa).toBeNull();
  else expect(agreement.kappa).toBeCloseTo(kappa, 10);
}

forEachDriver("agreement", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    await ingestBatch(
      api.stored.ingest,
      Array.from({ length: ITEMS }, (_, item) => {
        const key = `t${item}`;
        const startUs = START_US + item * MINUTE_US;
        return incomingSpan({
          ...{ projectName: "judged", traceKey: key, spanKey: key, sessionKey: key },
          ...{ startUs, endUs: startUs + 1000 },
        });
      }),
    );
    for (const target of ["span", "trace", "session"]) {
      const data = said.map(({ item, kind, name, identifier, ...result }) => {
        return { [`${target}_id`]: `t${item}`, annotator_kind: kind, name, identifier, result };
      });
      for (let at = 0; at < data.length; at += 500) {
        const json = { data: data.slice(at, at + 500) };
        expect((await send(api.server, `POST /v1/${target}_annotations?sync=true`, { json })).status).toBe(200);
      }
    }
  });

  const ask = async <Fields>(fields: string) =>
    (await askData<{ project: Fields }>(api, `{ project: getProjectByName(name: "judged") { ${fields} } }`)).project;
  const range = (from: number, to: number) =>
    `timeRange: {start: "${formatInstant(START_US + from * MINUTE_US)}", end: "${formatInstant(START_US + to * MINUTE_US)}"}`;
  const list = async (target: string, from = 0, to = ITEMS, more = "") =>
    (
      await ask<{ found: Agreement[] }>(
        `found: ${target}AnnotationAgreements(${range(from, to)}${more}) { name categories { label min max }
           cells { people programs count } pairCount agreedCount omittedPairCount kappa }`,
      )
    ).found;
  const label = (each: Said) => each.label ?? null;

  test.each(["span", "trace", "session"] as const)("of every %s, counted one by one", async (target) => {
    const found = await list(target);
    expect(found.map(({ name }) => name)).toEqual([NAME, "stars", "share", "texts", "alike"]);
    const [good, stars, share, texts, alike] = found as [Agreement, Agreement, Agreement, Agreement, Agreement];
    expect(good.categories.map((each) => each.label)).toEqual(["no", "perhaps", "yes"]);
    expectCounted(good, pairsOf(NAME, [0, ITEMS], label), ["no", "perhaps", "yes"]);
    expect(stars.categories).toEqual([1, 2, 3, 4, 5].map((star) => ({ label: null, min: star, max: star })));
    const ofScores = (agreement: Agreement) => {
      const indexes = agreement.categories.map((_, at) => String(at));
      const bin = (each: Said) => (each.score === undefined ? null : categoryOf(agreement, each.score));
      expectCounted(agreement, pairsOf(agreement.name, [0, ITEMS], bin), indexes);
    };
    ofScores(stars);
    ofScores(share);
    expect(share.categories.map(({ min, max }) => [min, max])).toEqual([
      [0, 0.2],
      [0.2, 0.4],
      [0.4, 0.6],
      [0.6, 0.8],
      [0.8, 1],
    ]);
    expect(texts.categories).toHaveLength(12);
    expectCounted(
      texts,
      pairsOf("texts", [0, ITEMS], label),
      texts.categories.map((each) => each.label!),
    );
    expect(alike).toMatchObject({ pairCount: 9, agreedCount: 9, kappa: null, categories: [{ label: "yes" }] });
    const narrowed = await list(target, 20, 50, `, annotationName: ${JSON.stringify(NAME)}`);
    expect(narrowed).toHaveLength(1);
    expectCounted(
      narrowed[0]!,
      pairsOf(NAME, [20, 50], label),
      narrowed[0]!.categories.map((each) => each.label!),
    );
    expect((await list(target, 0, ITEMS, ", first: 2")).map(({ name }) => name)).toEqual([NAME, "stars"]);
    expect(await list(target, -20, -10)).toEqual([]);
  });

  test.each(["span", "trace", "session"] as const)("a cell of every %s finds as many in its list", async (target) => {
    for (const agreement of (await list(target)).filter(({ name }) => name !== "texts")) {
      const all = agreement.categories.flatMap((_, people) =>
        agreement.categories.map((_each, programs) => ({ people, programs })),
      );
      const fields = all.map(({ people, programs }, at) => {
        const condition = JSON.stringify(pairCondition(target, agreement, people, programs));
        return target === "session"
          ? `c${at}: sessionCount(sessionFilterCondition: ${condition})`
          : `c${at}: traceFigures(filterCondition: ${condition}) { count }`;
      });
      const found = await ask<Record<string, number | { count: number }>>(fields.join("\n"));
      const counts = all.map(({ people, programs }, at) => {
        const answer = found[`c${at}`]!;
        return { people, programs, count: typeof answer === "number" ? answer : answer.count };
      });
      const sorted = (cells: Agreement["cells"]) =>
        cells.toSorted((a, b) => a.people - b.people || a.programs - b.programs);
      expect(counts.filter(({ count }) => count > 0)).toEqual(sorted(agreement.cells));
    }
  });

  test.each(["span", "trace", "session"] as const)(
    "the differences of every %s are found by one condition",
    async (target) => {
      for (const agreement of (await list(target)).filter(({ name }) => name !== "texts")) {
        const word = (each: Said) =>
          agreement.categories[0]!.label !== null
            ? label(each)
            : each.score === undefined
              ? null
              : categoryOf(agreement, each.score);
        const differing = Array.from({ length: ITEMS }, (_, item) => item).filter((item) =>
          pairsOf(agreement.name, [item, item + 1], word).some(([people, programs]) => people !== programs),
        );
        const condition = JSON.stringify(differenceCondition(target, agreement));
        const { found } = await ask<{ found: number | { count: number } }>(
          target === "session"
            ? `found: sessionCount(sessionFilterCondition: ${condition})`
            : `found: traceFigures(filterCondition: ${condition}) { count }`,
        );
        expect([agreement.name, typeof found === "number" ? found : found.count]).toEqual([
          agreement.name,
          differing.length,
        ]);
      }
      const [, , , texts] = await list(target);
      expect(differenceCondition(target, texts!)).toBeNull();
    },
  );

  test("refuses more names than it may list", async () => {
    const message = await askRefusal(
      api,
      `{ getProjectByName(name: "judged") { spanAnnotationAgreements(${range(0, 1)}, first: 51) { name } } }`,
    );
    expect(JSON.stringify(message)).toContain("must be from 1 to 50");
  });
});
