// A newcomer's first minute below a sub-path, in both themes: the empty project, the program from the page run in a shell, the trace
// that arrives, a filter, the trace, its session, the metrics.
import { describe, expect, test } from "bun:test";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { forPages } from "../support/pages.ts";
import { hexId, wideTrace } from "../support/panel-traces.ts";
import { until } from "../support/until.ts";

const PREFIX = "/tools/spanlight";

/** Runs what the page gave, as a person would who pastes it. */
async function runInShell(program: string): Promise<void> {
  const shell = Bun.spawn(["bash", "-euo", "pipefail", "-c", program], { stdout: "pipe", stderr: "pipe" });
  const [exitCode, said] = await Promise.all([shell.exited, new Response(shell.stderr).text()]);
  expect(exitCode, said).toBe(0);
}

forPages("the first minute", { service: { env: { SERVICE_HOST_ROOT_PATH: PREFIX } } }, (pages) => {
  test("the TypeScript program works as it is pasted, and its trace opens", async () => {
    const name = "first-typescript";
    await pages.client().post("/v1/projects", { json: { name } });
    const page = await pages.open(`${PREFIX}/projects`);
    await page.locator("[role=row]", { hasText: name }).click();
    await page.getByText("TypeScript", { exact: true }).click();
    const program = await page.getByRole("region", { name: "trace.mts" }).locator("code").textContent();
    const child = Bun.spawn([process.execPath, "-e", program ?? ""], { cwd: import.meta.dir, stderr: "pipe" });
    const [exitCode, said] = await Promise.all([child.exited, new Response(child.stderr).text()]);
    expect(exitCode, said).toBe(0);
    await page.getByRole("button", { name: "Open the trace" }).click();
    await page.getByRole("treeitem", { name: /answer/ }).waitFor();
    // The panel closed, the list is there: the first steps are done.
    await page.getByRole("button", { name: "Close the trace" }).click();
    await page.locator("[role=row][data-index]").getByText("answer").waitFor();
  });

  describe.each(["light", "dark"] as const)("in %s", (theme) => {
    test("goes from the empty page to the metrics", async () => {
      const name = `first-${theme}`;
      const created = await pages.client().post("/v1/projects", { json: { name } });
      expect(created.status).toBe(200);

      const page = await pages.open(`${PREFIX}/`, { theme });
      await page.waitForURL(`**${PREFIX}/projects`);
      await page.locator("[role=row]", { hasText: name }).click();
      await page.getByText("Send your first trace").waitFor();
      await page.getByText("Waiting for your first trace").waitFor();
      // It leaves in one short fade, and at once where no motion is wanted.
      const ghost = page.getByRole("region", { name: "First trace" }).locator("[aria-hidden=true]").first();
      const fade = () => ghost.evaluate((element) => getComputedStyle(element).transitionDuration);
      expect(await fade()).toBe("0s");
      await page.emulateMedia({ reducedMotion: "no-preference" });
      expect(await fade()).toBe("0.12s");
      await page.emulateMedia({ reducedMotion: "reduce" });
      await pages.expectAccessible(page);
      await page.getByText("Other languages").click();
      const program = await page.locator("pre code", { hasText: "curl" }).textContent();
      expect(program).toContain(`${PREFIX}/v1/traces`);
      await runInShell(program ?? "");

      // The ghost becomes the real trace, on the page that was open.
      const first = page.getByRole("region", { name: "First trace" });
      await first.getByText("Your first trace has arrived").waitFor();
      await first.getByText("answer").waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, `first-trace-${theme}`);
      await first.getByRole("button", { name: "Show all traces" }).click();
      const arrived = page.locator("[role=row][data-index]");
      await arrived.getByText("answer").waitFor();
      await pages.picture(page, `first-minute-${theme}`);

      // A second trace, of a session; the filter finds it alone.
      const spans = wideTrace(name, Date.now() - 60_000, 4).map((span) => ({
        ...span,
        attributes: [...(span.attributes ?? []), { key: "session.id", value: { stringValue: `chat ${theme}` } }],
      }));
      await sendSpans(exportTo(pages.client()), name, spans);
      const filter = page.getByRole("combobox", { name: "Filter" });
      await filter.fill("num_spans > 1");
      await filter.press("Enter");
      await page.getByText("batch").first().waitFor();
      await until(async () => (await arrived.count()) === 1);
      await arrived.first().click();
      await page.waitForURL(`**/traces/${hexId(name, 32)}**`);
      await page.getByRole("treeitem").first().waitFor();
      await pages.expectAccessible(page);

      await page.getByRole("link", { name: "Session", exact: true }).click();
      await page.getByText(`chat ${theme}`).first().waitFor();
      await page.getByText("Turn 1").waitFor();

      await page.getByRole("button", { name: /^Close the session/ }).click();
      await page.getByRole("link", { name: "Metrics", exact: true }).click();
      await page.getByRole("heading", { name: "Latency of traces" }).waitFor();
      await pages.expectAccessible(page);
      await pages.picture(page, `first-minute-metrics-${theme}`);
    });
  });
});
