// Retention in a browser: a policy is tried before it is saved, given to a project, served, and what it took is shown.
import { expect, test } from "bun:test";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { traceOf } from "../support/panel-traces.ts";

const DAY_MS = 86_400_000;

async function seed(client: HttpClient): Promise<void> {
  for (const age of [1, 2, 40, 50]) {
    const root = {
      id: "root",
      name: "agent",
      kind: "AGENT",
      from: 0,
      to: 400,
      attributes: { "input.value": "Hello?" },
    };
    await sendSpans(exportTo(client), "support-bot", traceOf(`aged ${age}`, Date.now() - age * DAY_MS, [root]));
  }
}

forPages("retention", { seed }, (pages) => {
  test("a policy is tried, saved, swept, changed and deleted", async () => {
    const page = await pages.open("/settings/data-retention");
    await page.getByRole("region", { name: "Default" }).getByText("Everything").waitFor();
    await page.getByText("Nothing was deleted yet.").waitFor();
    const storage = page.getByRole("region", { name: "Storage" });
    for (const kind of ["Altogether", "Inputs, outputs, attributes", "Indexes"]) {
      await storage.getByText(kind, { exact: true }).waitFor();
    }
    await storage
      .getByText(/^[\d.]+ [kM]B, [\d.]+ %$/)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "New policy" }).click();
    const dialog = page.getByRole("dialog", { name: "New policy" });
    await dialog.getByRole("button", { name: "Create policy" }).click();
    await dialog.getByText("Give the policy a name.").waitFor();
    await dialog.getByLabel("Name").fill("a month");
    await dialog.getByText("Would delete nothing now").waitFor();
    await dialog.getByRole("checkbox", { name: "support-bot" }).check();
    await dialog.getByText(/Would delete 2 traces now, with 2 spans: /).waitFor();
    await dialog.getByLabel("Days").fill("45");
    await dialog.getByText(/Would delete 1 trace now, with 1 spans?: /).waitFor();
    // A look that was stopped early.
    const partly = { traceCount: 120_000, spanCount: 360_000, byteCount: 1000, isEverything: false, isComplete: false };
    await page.route("**/graphql", (route) =>
      route.request().postData()?.includes("previewTraceRetention")
        ? route.fulfill({ json: { data: { previewTraceRetention: [{ ...partly, project: { id: "1", name: "a" } }] } } })
        : route.fallback(),
    );
    await dialog.getByLabel("Days").fill("44");
    await dialog.getByText(/Would delete at least 120,000 traces now, .* too large to count everything/).waitFor();
    await page.unroute("**/graphql");
    await dialog.getByLabel("Days").fill("0.001");
    await dialog.getByText("No trace of support-bot would be left.").waitFor();
    await pages.picture(page, "retention-everything");
    await dialog.getByLabel("Days").fill("many");
    await dialog.getByText("Enter a number, or leave it empty.").waitFor();
    await dialog.getByLabel("Days").fill("30");
    await dialog.getByLabel("Swept").selectOption("At other times");
    await dialog.getByLabel("Schedule").fill("5 3 * * *");
    await dialog.getByRole("button", { name: "Create policy" }).click();
    await dialog.getByText(/the minute, must be 0/).waitFor();
    await dialog.getByLabel("Schedule").fill("0 3,15 * * *");
    await dialog.getByRole("button", { name: "Create policy" }).click();
    const policy = page.getByRole("region", { name: "a month" });
    await policy.getByText("30 days").waitFor();
    await policy.getByText("0 3,15 * * *").waitFor();
    await policy.getByText("support-bot").waitFor();
    await pages.picture(page, "retention");
    await policy.getByRole("button", { name: "Sweep now by a month" }).click();
    await page.getByText("The sweep begins within a minute").waitFor();
    const sweep = page.getByText(/support-bot: 2 traces, 2 spans, .* by a month/);
    for (let tries = 0; !(await sweep.isVisible()) && tries < 100; tries++) {
      await page.reload();
      await page.getByRole("region", { name: "Sweeps" }).waitFor();
    }
    await sweep.waitFor();
    await page.getByRole("button", { name: "Delete a month" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await policy.waitFor({ state: "detached" });
  });

  test("a project has its policy by its settings", async () => {
    const client = pages.client();
    const made = await client.post("/v1/retention_policies", {
      json: { name: "a year", schedule: "0 3 * * *", max_days: 365 },
    });
    expect(made.status).toBe(200);
    const { data } = (await (await client.get("/v1/projects/support-bot")).json()) as { data: { id: string } };
    const page = await pages.open(`/projects/${data.id}/config`);
    const choice = page.getByRole("combobox", { name: "Policy" });
    await choice.selectOption("a year");
    await page.getByText("Saved").first().waitFor();
    await page.reload();
    await choice.waitFor();
    const chosen = () => choice.evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.label);
    expect(await chosen()).toBe("a year");
    await choice.selectOption("Default");
    await page.getByRole("link", { name: "What policies keep" }).click();
    await page.getByRole("region", { name: "a year" }).getByText("None").waitFor();
  });

  for (const theme of ["light", "dark"] as const) {
    for (const width of ["desktop", "phone"] as const) {
      test(`is accessible on a ${width} in ${theme}, and nothing is wider than the window`, async () => {
        const page = await pages.open("/settings/data-retention", { theme, width });
        await page.getByRole("region", { name: "Default" }).waitFor();
        await pages.picture(page, `retention-${theme}`);
        await pages.expectAccessible(page);
        await page.getByRole("button", { name: "New policy" }).click();
        await page.getByRole("dialog").getByText("Would delete nothing now").waitFor();
        await pages.picture(page, `retention-dialog-${theme}`);
        await pages.expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      });
    }
  }
});

forPages(
  "retention, where backups fail",
  { service: { env: { SERVICE_BACKUP_DIRECTORY: "/dev/null/copies" } } },
  (pages) => {
    test("the page says so beside what the database holds", async () => {
      const page = await pages.open("/settings/data-retention");
      const storage = page.getByRole("region", { name: "Storage" });
      await storage.getByText("The last backup could not be made.").waitFor();
    });

    for (const theme of ["light", "dark"] as const) {
      for (const width of ["desktop", "phone"] as const) {
        test(`it lists the work that failed, on a ${width} in ${theme}`, async () => {
          const page = await pages.open("/settings/data-retention", { theme, width });
          const failed = page.getByRole("region", { name: "Failed work" });
          await failed.getByText("backup", { exact: true }).waitFor();
          await failed.getByText(/ENOTDIR/).waitFor();
          await failed.getByText("1 failure, next attempt").waitFor();
          await failed.scrollIntoViewIfNeeded();
          await pages.picture(page, `retention-failed-${theme}`);
          await pages.expectAccessible(page);
          expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        });
      }
    }
  },
);
