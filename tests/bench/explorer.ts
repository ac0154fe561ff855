// The lists of a large project in a real browser: until their first rows are drawn, what a key in the filter costs, and how much
// memory a tab holds that stays live while spans arrive. Usage: tests/bench/README.md
import type { BrowserContext, Page } from "playwright-core";
import { sharedBrowser } from "../support/browser.ts";
import { until } from "../support/until.ts";
import { readArguments, storedOptions } from "./arguments.ts";
import { median, milliseconds, progress, short, table } from "./figures.ts";
import { printHead, startOnStored } from "./measured.ts";
import { startSenders } from "./senders.ts";

const options = readArguments({
  stored: { default: 1_000_000, meaning: "spans of 2 to 8 KB in the database" },
  runs: { default: 5, meaning: "openings of each list" },
  rate: { default: 1000, meaning: "small spans a second that arrive while the tab is live" },
  seconds: { default: 60, meaning: "time the tab stays live" },
  ...storedOptions,
});
const { service, projectId, finish } = await startOnStored({ ...options, size: "page", spans: options.stored });
const browser = await sharedBrowser();

const openings: string[][] = [["list, all time", "first row: median", "highest", "figures there: median", "highest"]];
for (const list of ["traces", "spans"]) openings.push(await measureOpenings(list));
const typing = await measureTyping();
const memory = await measureLive();
await finish();

await printHead(options, `${short(options.stored)} spans of 2 to 8 KB stored`);
console.log(`${table(openings)}\n`);
console.log(
  `${table([
    ["typing a condition of 40 characters", "longest key"],
    ["", typing],
  ])}\n`,
);
console.log(table([["live tab", "heap at first", "heap at the end", "rows"], memory]));
process.exit();

function newContext(): Promise<BrowserContext> {
  return browser.newContext({ viewport: { width: 1440, height: 900 } });
}

/** Each in a browser that has nothing in its cache. Times count from the beginning of the navigation. */
async function measureOpenings(list: string): Promise<string[]> {
  const rows: number[] = [];
  const figures: number[] = [];
  for (let run = 0; run < options.runs; run++) {
    progress(`${list}, ${run + 1} of ${options.runs}`);
    const context = await newContext();
    const page = await context.newPage();
    await page.addInitScript(watch);
    await page.goto(`${service.url}/projects/${projectId}/${list}?range=all`);
    const times = await timesOf(page);
    rows.push(times.row);
    figures.push(times.figures);
    await context.close();
  }
  return [
    list,
    milliseconds(median(rows)),
    milliseconds(Math.max(...rows)),
    milliseconds(median(figures)),
    milliseconds(Math.max(...figures)),
  ];
}

async function timesOf(page: Page): Promise<{ readonly row: number; readonly figures: number }> {
  const read = () => (window as { readonly listTimes?: { row?: number; figures?: number } }).listTimes ?? {};
  const isWhole = ({ row, figures }: ReturnType<typeof read>) => row !== undefined && figures !== undefined;
  await until(async () => isWhole(await page.evaluate(read)), 60_000);
  const { row = Number.NaN, figures = Number.NaN } = await page.evaluate(read);
  return { row, figures };
}

/** Runs in the page. */
function watch(): void {
  const times: { row?: number; figures?: number } = {};
  Object.assign(window, { listTimes: times });
  const look = () => {
    if (times.row === undefined && document.querySelector("[role=row][data-index]") !== null)
      times.row = performance.now();
    const shown = [...document.querySelectorAll("dl dd")].map((each) => each.textContent ?? "");
    if (shown.length > 0 && shown.every((each) => each !== "")) times.figures = performance.now();
    if (times.row === undefined || times.figures === undefined) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** The longest time between a key and the next frame of the page, while the server checks what is written. */
async function measureTyping(): Promise<string> {
  progress("typing");
  const context = await newContext();
  const page = await context.newPage();
  await page.goto(`${service.url}/projects/${projectId}/spans?range=all`);
  await page.locator("[role=row][data-index]").first().waitFor();
  await page.getByRole("combobox", { name: "Filter" }).click();
  await page.evaluate(() => {
    const times = { longest: 0 };
    Object.assign(window, { keyTimes: times });
    addEventListener(
      "keydown",
      () => {
        const begin = performance.now();
        requestAnimationFrame(() =>
          setTimeout(() => {
            times.longest = Math.max(times.longest, performance.now() - begin);
          }),
        );
      },
      { capture: true },
    );
  });
  await page.keyboard.type("span_kind == 'LLM' and latency_ms > 12.34", { delay: 30 });
  const longest = await page.evaluate(() => (window as { readonly keyTimes?: { longest: number } }).keyTimes?.longest);
  await context.close();
  return milliseconds(longest ?? Number.NaN);
}

/** Bytes of script objects after a collection, at the beginning and after the time that the tab was live. */
async function measureLive(): Promise<string[]> {
  const context = await newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const heap = async () => {
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize } = await session.send("Runtime.getHeapUsage");
    return usedSize;
  };
  await page.goto(`${service.url}/projects/${projectId}/traces?range=all`);
  await page.locator("[role=row][data-index]").first().waitFor();
  const before = await heap();
  await page.getByRole("button", { name: "Live" }).click();
  const senders = startSenders({ service, senders: 4, spansPerRequest: 50, rate: options.rate });
  const end = performance.now() + options.seconds * 1000;
  while (performance.now() < end) {
    progress(`live, ${Math.round((end - performance.now()) / 1000)} s left`);
    await Bun.sleep(Math.min(5000, Math.max(0, end - performance.now())));
  }
  await senders.stop();
  const after = await heap();
  const rows = await page.locator("[role=row][data-index]").count();
  await context.close();
  const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(0)} MB`;
  return [`${options.seconds} s at ${short(options.rate)} spans/s`, megabytes(before), megabytes(after), String(rows)];
}
