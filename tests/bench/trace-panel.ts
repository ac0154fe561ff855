// How long opening a trace takes in a real browser: from the click on its row, and from its address, typed, until its spans
// can be used and until all of them are there. Usage: tests/bench/README.md
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { sharedBrowser } from "../support/browser.ts";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { createHttpClient } from "../support/http.ts";
import { hexId, wideTrace } from "../support/panel-traces.ts";
import { startService } from "../support/server.ts";
import { until } from "../support/until.ts";
import { readArguments } from "./arguments.ts";
import { endProgress, machine, median, milliseconds, progress, table } from "./figures.ts";

const options = readArguments({
  runs: { default: 7, meaning: "openings of each trace; the table tells the median and the slowest" },
  large: { default: 10_000, meaning: "spans of the large trace" },
  width: { default: 1440, meaning: "pixels of the window; 390 is a phone" },
  slower: { default: 1, meaning: "times that the processor of the browser is slower" },
});
const EXPORT = 2000;

const directory = await mkdtemp(join(tmpdir(), "spanlight-bench-panel-"));
const service = await startService({ databaseUrl: `sqlite:///${directory}/spanlight.db` });
const traces = [
  { name: "small", steps: 100 },
  { name: "large", steps: options.large },
];
const send = exportTo(createHttpClient(service.url));
for (const { name, steps } of traces) {
  const spans = wideTrace(name, Date.now() - 3_600_000, steps);
  for (let at = 0; at < spans.length; at += EXPORT) await sendSpans(send, "bench", spans.slice(at, at + EXPORT));
}

const context = await (await sharedBrowser()).newContext({
  viewport: { width: options.width, height: options.width < 700 ? 844 : 900 },
});
const figures: string[][] = [["from", "steps", "usable: median", "highest", "complete: median", "highest"]];
for (const { name, steps } of traces) {
  // The rows of a narrow window look otherwise: there only addresses are opened.
  for (const from of options.width < 700 ? (["address"] as const) : (["row", "address"] as const)) {
    const usable: number[] = [];
    const complete: number[] = [];
    for (let run = 0; run <= options.runs; run++) {
      progress(`${steps} steps from its ${from}, ${run} of ${options.runs}`);
      const times = await open(name, steps, from);
      // The first opening compiles what the others find compiled.
      if (run === 0) continue;
      usable.push(times.usable);
      complete.push(times.complete);
    }
    figures.push([
      `its ${from}`,
      String(steps),
      milliseconds(median(usable)),
      milliseconds(Math.max(...usable)),
      milliseconds(median(complete)),
      milliseconds(Math.max(...complete)),
    ]);
  }
}
endProgress("done");
await context.close();
await service.stop();
await rm(directory, { recursive: true });
console.log(`\n${await machine()}\n`);
console.log(table(figures));
process.exit();

/** Milliseconds by the clock of the page. */
async function open(name: string, steps: number, from: "row" | "address") {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: options.slower });
  try {
    if (from === "address") {
      await page.addInitScript(watch, steps);
      await page.goto(`${service.url}/redirects/traces/${hexId(name, 32)}?steps=all`);
    } else {
      await page.goto(`${service.url}/redirects/traces/${hexId(name, 32)}`);
      await page.getByRole("button", { name: "Close the trace" }).click();
      await page.getByRole("row").nth(2).waitFor();
      await page.evaluate(watch, steps);
      await clickRow(page, name === "small");
    }
    const read = () => (window as { readonly panelTimes?: { usable?: number; complete?: number } }).panelTimes ?? {};
    await until(async () => (await page.evaluate(read)).complete !== undefined, 60_000);
    const { usable = Number.NaN, complete = Number.NaN } = await page.evaluate(read);
    return { usable, complete };
  } finally {
    await page.close();
  }
}

/** Both traces are called the same; the small one began at the same time and is the shorter one. */
async function clickRow(page: Page, shorter: boolean): Promise<void> {
  const texts = await page.locator("[role=row][data-index]").allTextContents();
  const index = texts.findIndex((text) => /\b200 ms/.test(text) === shorter);
  await page.locator("[role=row][data-index]").nth(index).getByText("batch").click();
}

/** Runs in the page: notes when the first step and when the last page of steps is drawn. Times count from the click, or from the
 *  beginning of the navigation. */
function watch(steps: number): void {
  const times: { usable?: number; complete?: number } = {};
  Object.assign(window, { panelTimes: times });
  let begin = 0;
  addEventListener("click", () => (begin = performance.now()), { capture: true, once: true });
  const whole = new RegExp(`(^|of )${steps.toLocaleString("en-US")} spans`);
  const look = () => {
    // A step and its bar are there, and the page answers again: a frame has been drawn since.
    if (times.usable === undefined && document.querySelector("[role=treeitem] i") !== null) {
      times.usable = performance.now() - begin;
    }
    const tree = document.querySelector("[role=tree]")?.parentElement?.textContent ?? "";
    if (times.usable !== undefined && whole.test(tree)) times.complete = performance.now() - begin;
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
