// No list cuts a number: figures of every list page are read whole, on a desk and on a phone.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { type SeededRun, seedDataset, seedExperiment } from "../support/experiments.ts";
import type { HttpClient } from "../support/http.ts";
import { forEachPages } from "../support/pages.ts";
import { type PanelSpan, traceOf } from "../support/panel-traces.ts";

const longNames = [
  "gpt-4o with the longer prompt of November",
  "how_close_the_answer_is_to_what_was_expected",
] as const;

/** By words: addresses that hold ids. */
const addresses = new Map<string, string>();

/** Calls that cost next to nothing and very much, that are slow and that are long. */
const calls: readonly PanelSpan[] = [
  { tokens: 3, cost: 0.0000123, to: 8_123 },
  { tokens: 1_234_567, cost: 12_345.678, to: 4 * 3_600_000 + 59 * 60_000 },
  { tokens: 999_949, cost: 0.0000004, to: 7 * 60_000 + 48_000 },
].map(({ tokens, cost, to }, at) => ({
  id: `call ${at}`,
  name: "ChatCompletion",
  kind: "LLM",
  from: 0,
  to,
  attributes: {
    "llm.model_name": "house-model",
    "llm.token_count.prompt": tokens,
    "llm.token_count.completion": tokens,
    "llm.cost.total": cost,
    "session.id": `a-session-with-a-long-name-${at}`,
    "user.id": "somebody.with.a.long.name@example.com",
    "input.value": "A question that takes more words than a cell of a list can show in its one line.",
    "output.value": "And an answer that is not shorter than the question that it is the answer to.",
  },
  ...(at === 1 ? { error: "TimeoutError: upstream took too long to answer" } : {}),
}));

async function seed(client: HttpClient): Promise<void> {
  const months = 40 * 86_400_000;
  for (const [at, call] of calls.entries()) {
    await sendSpans(
      exportTo(client),
      "shop",
      traceOf(`trace ${at}`, Date.now() - months * (at % 2) - 6 * 3_600_000, [call]),
    );
  }
  const { data } = (await client.get("/v1/projects")).json() as { data: { id: string; name: string }[] };
  const shop = data.find(({ name }) => name === "shop")!.id;
  const examples = ["a", "b"].map((question) => ({ input: { question }, output: { answer: question } }));
  const dataset = await seedDataset(client, "refunds", examples);
  const run = (example: number, repetition = 1): SeededRun => ({
    ...{ example, repetition },
    output: "an answer",
    latencyMs: 488_123,
    said: [
      { name: "correctness", score: 0.123456789 },
      { name: "tone", score: -1234.5678 },
      { name: longNames[1], score: repetition / 7, label: "a label of many words" },
    ],
  });
  const options = { name: longNames[0], repetitions: 1 };
  const first = await seedExperiment(client, dataset, options, [run(0), run(1)]);
  const second = await seedExperiment(client, dataset, { ...options, name: "the next" }, [run(0)]);
  const repeated = { name: "three times, with a long name", repetitions: 3 };
  const runs = [1, 2, 3].flatMap((repetition) => [run(0, repetition), run(1, repetition)]);
  const third = await seedExperiment(client, dataset, repeated, runs);
  const fourth = await seedExperiment(client, dataset, { ...repeated, name: "three times more" }, runs);
  addresses.set("projects", "/projects");
  for (const tab of ["traces", "spans", "sessions"]) addresses.set(tab, `/projects/${shop}/${tab}?range=all`);
  addresses.set("metrics", `/projects/${shop}/metrics?range=all`);
  addresses.set("datasets", "/datasets");
  for (const tab of ["examples", "versions", "experiments"]) addresses.set(tab, `/datasets/${dataset.id}/${tab}`);
  addresses.set("comparison", `/datasets/${dataset.id}/compare?experimentId=${first}&experimentId=${second}`);
  const several = `/datasets/${dataset.id}/compare?${[third, fourth, first].map((id) => `experimentId=${id}`).join("&")}`;
  addresses.set("repetitions", several);
  addresses.set("measures", `${several}&view=metrics`);
  addresses.set("prompts", "/prompts");
  addresses.set("models", "/settings/models");
}

const names = [
  ...["projects", "traces", "spans", "sessions", "metrics", "datasets", "examples", "versions", "experiments"],
  ...["comparison", "repetitions", "measures", "prompts", "models"],
];

/** Figures that are cut by what is around them, or that lie over each other. */
function spoiltNumbers(): readonly string[] {
  const spoilt: string[] = [];
  const figures: { readonly words: string; readonly box: DOMRect }[] = [];
  const unseen = new Set<number>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const words = node.textContent?.trim() ?? "";
    const parent = node.parentElement!;
    if (!/^[<−-]?\s?\$?\d/.test(words) || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest(".visually-hidden, svg, script, style") !== null) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.width === 0) continue;
    figures.push({ words, box });
    for (let around: HTMLElement | null = parent; around !== null; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around);
      if (overflowX === "auto" || overflowX === "scroll") break;
      if (overflowX === "visible") continue;
      const clip = around.getBoundingClientRect();
      // What wraps out of its place is left out whole.
      if (box.top >= clip.bottom - 1) unseen.add(figures.length - 1);
      else if (box.left < clip.left - 1 || box.right > clip.right + 1) spoilt.push(`cut: ${words}`);
    }
  }
  for (const [at, { words, box }] of figures.entries()) {
    for (const [place, other] of figures.entries()) {
      if (place <= at || unseen.has(at) || unseen.has(place)) continue;
      const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
      if (wide > 1 && high > 4) spoilt.push(`${words} lies over ${other.words}`);
    }
  }
  return spoilt;
}

/** Cells of numbers and their titles, which have all the space that they need; names that programs and people made may be cut. */
function cutCells(names: readonly string[]): readonly string[] {
  const cells = [...document.querySelectorAll<HTMLElement>("[role=gridcell], [role=columnheader] *, td, dd")];
  return cells
    .filter((cell) => /^[<−-]?\s?\$?\d/.test(cell.textContent) || cell.closest("[role=columnheader]") !== null)
    .filter(
      (cell) =>
        cell.closest(".visually-hidden, [role=checkbox], label") === null && cell.querySelector("input") === null,
    )
    .filter((cell) => !names.some((name) => cell.textContent === name))
    .filter((cell) => cell.clientWidth > 0 && cell.scrollWidth > cell.clientWidth)
    .map((cell) => `${cell.textContent}: ${cell.scrollWidth} > ${cell.clientWidth}`);
}

/** The window, and what holds numbers in it, when it is wider than its place. Tabs and switches may be scrolled. */
function tooWide(): readonly string[] {
  const scrollers = [...document.querySelectorAll<HTMLElement>("main, main *")].filter(
    (each) =>
      /auto|scroll/.test(getComputedStyle(each).overflowX) && each.querySelector("[role=gridcell], td, dd, canvas"),
  );
  return [document.documentElement, ...scrollers]
    .filter((each) => each.scrollWidth > each.clientWidth)
    .map((each) => `${each.className}: ${each.scrollWidth} > ${each.clientWidth}`);
}

async function shown(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

forEachPages("numbers", { seed }, (pages) => {
  for (const width of ["desktop", "phone"] as const) {
    describe(width, () => {
      for (const name of names) {
        test(`are whole in ${name}`, async () => {
          const page = await pages.open(addresses.get(name)!, { width });
          await shown(page);
          // The widest navigation leaves the least space.
          if (width === "desktop") await page.getByRole("button", { name: "Expand" }).click();
          await pages.picture(page, `numbers-${name}`);
          expect({
            spoilt: await page.evaluate(spoiltNumbers),
            cut: await page.evaluate(cutCells, longNames),
            wide: await page.evaluate(tooWide),
          }).toEqual({ spoilt: [], cut: [], wide: [] });
        });
      }
    });
  }
});
