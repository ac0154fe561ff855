// A saved view between two people: private it is unseen, shared it is seen, and only who saved it takes it back.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { BOB, CARL, forAccountPages, PREFIX } from "../support/account-pages.ts";
import { instantOf, spanIdOf, traceIdOf } from "../support/search-data.ts";

forAccountPages("saved views of people", ({ admin, openAs }) => {
  test("are shared and taken back by who saved them alone", async () => {
    const span = {
      name: "answer",
      context: { trace_id: traceIdOf("shared"), span_id: spanIdOf("shared") },
      span_kind: "AGENT",
      start_time: instantOf(0),
      end_time: instantOf(1),
      status_code: "OK",
    };
    const sent = await admin().post(`${PREFIX}/v1/projects/default/spans`, { json: { data: [span] } });
    expect(sent.status).toBe(202);
    const { data } = JSON.parse((await admin().get(`${PREFIX}/v1/projects/default`)).text) as { data: { id: string } };
    const path = `/projects/${data.id}/traces?range=all&filter=error_count+%3D%3D+0`;
    const views = (page: Page) => page.getByRole("button", { name: /^Views?\b/ });
    const choose = async (page: Page, item: string) => {
      await views(page).click();
      await page.getByRole("menuitem", { name: item }).click();
    };

    const carl = await openAs(CARL, path);
    await choose(carl, "Save as a view…");
    await carl.getByRole("textbox", { name: "Name" }).fill("Fine");
    await carl.keyboard.press("Enter");
    await carl.getByRole("button", { name: "View Fine", exact: true }).waitFor();
    // The other theme is another browser, with cookies of its own.
    const bob = await openAs(BOB, path, { theme: "dark" });
    await bob.getByRole("button", { name: "Views", exact: true }).waitFor();

    await choose(carl, "Share with everyone");
    await carl.getByText("Everyone in the project sees Fine now").waitFor();
    await bob.reload();
    await bob.getByRole("button", { name: "View Fine", exact: true }).click();
    await bob.getByRole("menuitem", { name: "Rename…" }).waitFor();
    expect(await bob.getByRole("menuitem", { name: "Keep to myself" }).count()).toBe(0);

    await choose(carl, "Keep to myself");
    await carl.getByText("Only you see Fine now").waitFor();
    await bob.reload();
    await bob.getByRole("button", { name: "Views", exact: true }).waitFor();
  });
});
