// Writes the pictures of docs/images anew: the real service with the example project, seen by a real browser in both themes.
// Run it after a change of the looks: `bun scripts/write-images.ts`.
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Page } from "playwright-core";
import { exampleExports } from "../src/demo-data/example-project.ts";
import { sharedBrowser } from "../tests/support/browser.ts";
import { createSqliteDatabase } from "../tests/support/drivers.ts";
import { createHttpClient } from "../tests/support/http.ts";
import { startService } from "../tests/support/server.ts";

const FOLDER = resolve(import.meta.dir, "../docs/images");
const SIZE = { width: 1440, height: 900 };
/** Not the name of the example project: the pages would say that it is one. */
const PROJECT = "support-agent";

interface Picture {
  readonly name: string;
  /** Below the project. */
  readonly path: string;
  /** Brings the page into the state that is wanted; resolves when it can be seen. */
  readonly until: (page: Page) => Promise<unknown>;
}

const rows = (page: Page) => page.locator("[role=row][data-index]");

async function openFailedTrace(page: Page): Promise<void> {
  await rows(page).first().click();
  await page.getByRole("treeitem").first().waitFor();
  await page.getByRole("treeitem", { name: /create_return_label|track_parcel|book_repair/ }).click();
  await page.getByRole("heading", { name: /create_return_label|track_parcel|book_repair/ }).waitFor();
}

const pictures: readonly Picture[] = [
  { name: "traces", path: "traces", until: (page) => rows(page).nth(12).waitFor() },
  { name: "trace", path: "traces?filter=error_count+%3E+0", until: openFailedTrace },
  {
    name: "session",
    path: "sessions?sort=-numTraces",
    until: async (page) => {
      await rows(page).first().click();
      await page.getByText("Turn 2").waitFor();
    },
  },
  { name: "metrics", path: "metrics", until: (page) => page.locator("canvas").nth(1).waitFor() },
];

const database = await createSqliteDatabase();
const service = await startService({ databaseUrl: database.url });
const browser = await sharedBrowser();
try {
  const client = createHttpClient(service.url);
  for (const body of exampleExports(Date.now(), PROJECT)) {
    const { status, text } = await client.post("/v1/traces", { json: body });
    if (status !== 200) throw new Error(`The example was answered with ${status}: ${text}`);
  }
  const { data } = JSON.parse((await client.get(`/v1/projects/${PROJECT}`)).text) as { data: { id: string } };
  await mkdir(FOLDER, { recursive: true });
  for (const theme of ["light", "dark"] as const) {
    const context = await browser.newContext({
      viewport: SIZE,
      colorScheme: theme,
      reducedMotion: "reduce",
      locale: "en-US",
      timezoneId: "UTC",
    });
    for (const { name, path, until } of pictures) {
      const page = await context.newPage();
      await page.goto(`${service.url}/projects/${data.id}/${path}`);
      await until(page);
      await page.waitForLoadState("networkidle");
      // Nothing of the pointer that brought us here.
      await page.mouse.move(SIZE.width / 2, SIZE.height - 2);
      const file = join(FOLDER, `${name}-${theme}.png`);
      await page.screenshot({ path: file });
      console.log(file);
      await page.close();
    }
    await context.close();
  }
} finally {
  await browser.close();
  await service.kill();
  await database.drop();
}
