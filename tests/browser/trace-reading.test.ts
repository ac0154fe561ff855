// Reading long traces in a browser: on a phone, with long prompts, many equal calls, and failures far below.
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import type { HttpClient } from "../support/http.ts";
import { isInView, linesOf } from "../support/in-view.ts";
import { forPages } from "../support/pages.ts";
import { agentTrace, hexId, wideTrace } from "../support/panel-traces.ts";
import {
  brokenTrace,
  crewTrace,
  deskTrace,
  FAILED_READ,
  pictureTrace,
  QUESTION,
  READS,
} from "../support/reading-traces.ts";
import { until } from "../support/until.ts";

const BEGIN_MS = Date.now() - 3 * 3_600_000;
const SPANS = 10_000;
const EXPORT = 2000;

async function seed(client: HttpClient): Promise<void> {
  const send = exportTo(client);
  await sendSpans(send, "reading", agentTrace("agent", BEGIN_MS));
  await sendSpans(send, "reading", deskTrace("desk", BEGIN_MS + 1000));
  await sendSpans(send, "reading", crewTrace("crew", BEGIN_MS + 2000));
  await sendSpans(send, "reading", brokenTrace("broken", BEGIN_MS + 3000));
  await sendSpans(send, "reading", pictureTrace("picture", BEGIN_MS + 4000));
  const wide = wideTrace("wide", BEGIN_MS, SPANS);
  for (let at = 0; at < SPANS; at += EXPORT) await sendSpans(send, "wide", wide.slice(at, at + EXPORT));
}

const trace = (name: string, parameters = "") => `/redirects/traces/${hexId(name, 32)}${parameters}`;
const rows = (page: Page) => page.getByRole("treeitem");
const row = (page: Page, name: string) => rows(page).filter({ has: page.getByText(name, { exact: true }) });
const selected = (page: Page) => page.locator("[role=treeitem][aria-selected=true]");
const card = (page: Page, id: string) => page.locator(`[data-card=${id}]`);
const sheet = (page: Page) => page.getByRole("dialog", { name: "Span" });

forPages("reading a trace", { seed }, (pages) => {
  describe("on a phone", () => {
    test.each(["light", "dark"] as const)("a tap shows the details in a sheet over the spans, %s", async (theme) => {
      const page = await pages.open(trace("agent"), { width: "phone", theme });
      await row(page, "lookup_account").click();
      const heading = sheet(page).getByRole("heading", { level: 3, name: "lookup_account" });
      await heading.waitFor();
      await sheet(page).locator("[data-card=error]").waitFor();
      // Above the sheet the title of the trace stays in sight.
      const title = (await page.locator("header h2").first().boundingBox())!;
      const { y } = (await heading.boundingBox())!;
      expect([title.y + title.height <= y, await isInView(heading)]).toEqual([true, true]);
      expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(390);
      const small = await sheet(page)
        .getByRole("button")
        .evaluateAll((buttons) =>
          buttons
            .map((button) => [button.getBoundingClientRect(), button.getAttribute("aria-label")] as const)
            .filter(([{ width, height }]) => width > 0 && (width < 24 || height < 24))
            .map(([, label]) => label),
        );
      expect(small).toEqual([]);
      await pages.picture(page, `phone-sheet-${theme}`);
      await pages.expectAccessible(page);
    });

    test("the sheet keeps the focus, and closes by its button, Escape, the back button and a drag", async () => {
      const page = await pages.open(trace("agent"), { width: "phone" });
      const open = async () => {
        await row(page, "guard_input").click();
        await sheet(page).waitFor();
        await page.waitForFunction(() => history.state?.sheet === true);
      };
      const gone = async () => {
        await sheet(page).waitFor({ state: "hidden" });
        await selected(page).getByText("guard_input").waitFor();
        expect(new URL(page.url()).pathname).toContain("/traces/");
      };
      await open();
      const inside = () => page.evaluate(() => document.activeElement?.closest("dialog") !== null);
      for (let times = 0; times < 12; times++) {
        // Behind the last control the browser itself has the focus for one step, never the page behind.
        expect((await inside()) || (await page.evaluate(() => document.activeElement === document.body))).toBe(true);
        await page.keyboard.press("Tab");
      }
      await sheet(page).getByRole("button", { name: "Close", exact: true }).click();
      await gone();
      await open();
      await page.keyboard.press("Escape");
      await gone();
      await open();
      await page.goBack();
      await gone();
      await open();
      const { x, y, width } = (await sheet(page).boundingBox())!;
      await page.mouse.move(x + width / 2, y + 10);
      await page.mouse.down();
      await page.mouse.move(x + width / 2, y + 200, { steps: 4 });
      await page.mouse.up();
      await gone();
      // Nothing is left of them in the history.
      const length = await page.evaluate(() => history.length);
      await open();
      await page.keyboard.press("Escape");
      await gone();
      expect(await page.evaluate(() => history.length)).toBe(length);
    });

    test("walks to the next span inside the sheet, and stays there when it closes", async () => {
      const page = await pages.open(trace("agent"), { width: "phone" });
      await row(page, "guard_input").click();
      await sheet(page).getByRole("button", { name: "Next span" }).click();
      await sheet(page).getByRole("heading", { level: 3, name: "ChatPromptTemplate" }).waitFor();
      await page.goBack();
      await sheet(page).waitFor({ state: "hidden" });
      await selected(page).getByText("ChatPromptTemplate").waitFor();
    });

    test("the count of errors leads to the failed span and shows it", async () => {
      const page = await pages.open(trace("agent"), { width: "phone" });
      await row(page, "support_agent").waitFor();
      await page.getByRole("button", { name: "1 error" }).click();
      await sheet(page).getByRole("heading", { level: 3, name: "lookup_account" }).waitFor();
    });

    test("ten thousand spans: the first can be used while the others are on their way", async () => {
      const page = await pages.open("/redirects/projects/wide", { width: "phone" });
      const rest = Promise.withResolvers<void>();
      await page.route("**/graphql*", async (route) => {
        if (/query TraceSpans/.test(route.request().postData() ?? "")) await rest.promise;
        await route.continue();
      });
      await page.goto(new URL(trace("wide", "?steps=all"), page.url()).href);
      await page.getByText("500 of 10,000 spans loaded").waitFor();
      await row(page, "step 1").click();
      await sheet(page).getByRole("heading", { level: 3, name: "step 1" }).waitFor();
      await page.keyboard.press("Escape");
      await sheet(page).waitFor({ state: "hidden" });
      rest.resolve();
      await page.getByText(/spans loaded$/).waitFor({ state: "hidden" });
      await selected(page).getByText("step 1", { exact: true }).waitFor();
      await page.getByRole("searchbox", { name: "Find in spans" }).fill("needle in the stack");
      await row(page, `step ${SPANS - 7}`).waitFor();
    });

    test("ten thousand spans: few are drawn, the page scrolls through all of them", async () => {
      const page = await pages.open(trace("wide", "?steps=all"), { width: "phone" });
      await page
        .getByText(`${SPANS.toLocaleString("en-US")} spans`)
        .first()
        .waitFor();
      await page.getByText(/spans loaded$/).waitFor({ state: "hidden" });
      expect(await page.locator("*").count()).toBeLessThan(1500);
      const scrolled = await page.getByRole("tree").evaluate((tree) => {
        let page: HTMLElement | null = tree as HTMLElement;
        while (page !== null && page.scrollHeight <= page.clientHeight + 1000) page = page.parentElement;
        page?.scrollTo(0, page.scrollHeight);
        return page?.contains(document.querySelector("h2"));
      });
      expect(scrolled).toBe(true);
      // The last row of the tree stands where the page ends.
      await until(async () => {
        const [last, box] = [rows(page).last(), page.viewportSize()!];
        // A row may have been drawn again between the two questions.
        const row = await last.boundingBox();
        if (row === null) return false;
        const { y, height } = row;
        return y + height > box.height - 120 && y + height <= box.height;
      });
      expect(await rows(page).count()).toBeLessThan(120);
    });
  });

  describe("the answer first", () => {
    const calls = ["ChatCompletion", "chat gpt-4o"] as const;

    test.each(calls)(
      "%s: question and answer on the first screen, the prompt and the history a line each",
      async (name) => {
        for (const width of ["desktop", "phone"] as const) {
          const page = await pages.open(trace("desk"), { width });
          await row(page, name).click();
          const answer = card(page, "output").getByText(/^I have sent you a/);
          await answer.waitFor();
          expect([await isInView(card(page, "input").getByText(QUESTION)), await isInView(answer)]).toEqual([
            true,
            true,
          ]);
          const input = card(page, "input");
          const system = input.getByRole("button", { name: "System 21.1 kB · 160 lines" });
          const earlier = input.getByRole("button", { name: /^Earlier 12 messages · \d/ });
          expect([await linesOf(system), await linesOf(earlier)]).toEqual([1, 1]);
          await pages.picture(page, `answer-first-${name.split(" ")[0]}`);
          await system.click();
          await input.getByRole("button", { name: "Show all (21.1 kB)" }).waitFor();
          if (name === calls[0]) await pages.expectAccessible(page);
        }
      },
    );

    test("long results are three lines with their size, tools are a line with theirs", async () => {
      const page = await pages.open(trace("desk"), { theme: "dark" });
      await row(page, calls[0]).click();
      const input = card(page, "input");
      const show = input.getByRole("button", { name: /^Show all · 1\d(\.\d)? kB/ });
      await show.waitFor();
      expect(await isInView(input)).toBe(true);
      await show.click();
      await input.getByRole("button", { name: "pages 60 items" }).waitFor();
      await input.getByRole("button", { name: "Show less" }).click();
      await show.waitFor();
      await card(page, "tools")
        .getByRole("button", { name: /Tools 1 · 1(\.\d)? kB · read_handbook/ })
        .waitFor();
      await pages.expectAccessible(page);
    });
  });

  describe("a crew of agents", () => {
    const reads = (page: Page) => rows(page).filter({ hasText: `× ${READS.toLocaleString("en-US")}` });

    test("agents keep their rows, wrappers fold, equal calls are one row that opens", async () => {
      const page = await pages.open(trace("crew"));
      await page.getByRole("tree").press("Home");
      await row(page, "planner_1").waitFor();
      await row(page, "researcher_2").waitFor();
      expect(await rows(page).getByText("RunnableSequence").count()).toBe(0);
      await reads(page).getByText("read_page").waitFor();
      await reads(page).getByText("P50 95 ms").waitFor();
      expect(await reads(page).getAttribute("aria-expanded")).toBe("false");
      const folded = Number(await page.getByRole("tree").evaluate((tree) => tree.scrollHeight));
      await reads(page).getByText("read_page").click();
      await until(async () => (await reads(page).getAttribute("aria-expanded")) === "true");
      await until(
        async () => Number(await page.getByRole("tree").evaluate((tree) => tree.scrollHeight)) > folded + 26 * 1000,
      );
      await page.getByRole("heading", { level: 3, name: "read_page" }).waitFor();
      await page.getByRole("heading", { level: 4, name: "Slowest" }).waitFor();
      await page.getByRole("tree").press("ArrowLeft");
      await until(async () => (await reads(page).getAttribute("aria-expanded")) === "false");
      await page.getByRole("tree").press("Enter");
      await until(async () => (await reads(page).getAttribute("aria-expanded")) === "true");
      await pages.expectAccessible(page);
    });

    test("the one that failed among them is reached without opening them", async () => {
      const page = await pages.open(trace("crew"));
      await reads(page).waitFor();
      await row(page, "planner_1").or(row(page, "ChatCompletion")).first().click();
      await reads(page).getByRole("button", { name: "1 error" }).click();
      await selected(page).getByText("HTTPError").waitFor();
      await card(page, "input").getByText(`page/${FAILED_READ}`).waitFor();
      expect(await rows(page).getByText("read_page").count()).toBe(2);
    });

    test.each(["light", "dark"] as const)(
      "its shape stands above the rows as a strip with a lens, %s",
      async (theme) => {
        for (const width of ["desktop", "phone"] as const) {
          const page = await pages.open(trace("crew"), { width, theme });
          await reads(page).waitFor();
          const strip = page.locator("canvas");
          const above = (await strip.boundingBox())!;
          expect(above.y + above.height).toBeLessThanOrEqual((await rows(page).first().boundingBox())!.y);
          await page
            .getByText(/^1,370 spans in 1 min 30 s: Agent 13, LLM 72, Tool 1,272, Chain 13\. 1 failed, at 23\.9/)
            .waitFor();
          // Strokes in the colours of their kinds.
          const inks = await strip.evaluate((canvas: HTMLCanvasElement) => {
            const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
            const found = new Set<string>();
            for (let at = 0; at < data.length; at += 4)
              if (data[at + 3] === 255) found.add(data.slice(at, at + 3).join());
            const probe = document.createElement("i");
            document.body.append(probe);
            const wanted = ["agent", "llm", "tool"].map((kind) => {
              probe.style.color = `var(--kind-${kind})`;
              return getComputedStyle(probe).color.replace(/[^\d,]/g, "");
            });
            probe.remove();
            return wanted.map((ink) => found.has(ink));
          });
          expect(inks).toEqual([true, true, true]);
          expect(await page.locator("[data-failed]").count()).toBe(1);
          await pages.picture(page, `crew-${theme}`);
          await pages.expectAccessible(page);
        }
      },
    );

    test("the strip chooses a part of the time, and its lens moves it", async () => {
      const page = await pages.open(trace("crew"));
      await reads(page).waitFor();
      const lens = page.getByRole("slider", { name: /^Part of the time/ });
      const { x, y, width } = (await page.locator("canvas").boundingBox())!;
      const drag = async (from: number, to: number) => {
        await page.mouse.move(x + width * from, y + 14);
        await page.mouse.down();
        await page.mouse.move(x + width * to, y + 14, { steps: 5 });
        await page.mouse.up();
      };
      await drag(0.5, 0.75);
      await until(async () => /^4\d(\.\d)? s to 1 min/.test((await lens.getAttribute("aria-valuetext")) ?? ""));
      await drag(0.6, 0.4);
      await until(async () => /^2\d(\.\d)? s to/.test((await lens.getAttribute("aria-valuetext")) ?? ""));
      const before = await lens.getAttribute("aria-valuetext");
      await lens.press("ArrowRight");
      await until(async () => (await lens.getAttribute("aria-valuetext")) !== before);
      await page.getByRole("button", { name: "Show the whole time" }).click();
      await until(async () => /^0 /.test((await lens.getAttribute("aria-valuetext")) ?? ""));
    });
  });

  describe("a failure", () => {
    test("opens at what failed first, far below, and says the same in the list and in the panel", async () => {
      const page = await pages.open(trace("broken"));
      await selected(page).getByText("GET /orders").waitFor();
      await page.getByRole("heading", { level: 3, name: "GET /orders" }).waitFor();
      expect(new URL(page.url()).searchParams.get("selectedSpanNodeId")).toBe(null);
      const head = page.locator("header").filter({ has: page.getByRole("heading", { level: 2 }) });
      await head.getByRole("button", { name: "Unreachable · 6 errors" }).waitFor();
      const listed = page.locator("[role=row][data-index]").filter({ hasText: "order_desk" });
      await listed.getByText("Unreachable", { exact: true }).waitFor();
      await page.getByRole("tree").press("Home");
      await card(page, "error").getByRole("heading", { name: "Error" }).waitFor();
      expect(await page.getByText("OK", { exact: true }).count()).toBe(0);
    });

    test.each(["desktop", "phone"] as const)(
      "its stack trace scrolls and folds what is not ours, %s",
      async (width) => {
        const page = await pages.open(trace("broken"), { width });
        if (width === "phone") await page.getByRole("button", { name: /6 errors/ }).click();
        const stack = page.getByRole("region", { name: "Stack trace" });
        await stack.getByText("orders = await fetch_orders(").waitFor();
        const [scrolls, line, ligatures] = await stack.evaluate((element) => {
          const text = element.querySelector("pre")!;
          const { lineHeight, fontVariantLigatures } = getComputedStyle(text);
          const lines = text.textContent!.split("\n").length;
          const height = text.getBoundingClientRect().height / Number.parseFloat(lineHeight);
          return [
            element.scrollWidth > element.clientWidth,
            Math.round(height) === lines,
            fontVariantLigatures,
          ] as const;
        });
        expect([scrolls, line, ligatures]).toEqual([true, true, "none"]);
        expect(await stack.getByText("site-packages").count()).toBe(0);
        await stack.getByRole("button", { name: "9 frames of libraries" }).click();
        await stack.getByText("layer_8.py").waitFor();
        await pages.picture(page, "stack");
        await pages.expectAccessible(page);
      },
    );
  });

  describe("find in spans", () => {
    const field = (page: Page) => page.getByRole("searchbox", { name: "Find in spans" });
    const marks = (page: Page) =>
      page.evaluate(() => [...(CSS.highlights.get("found") ?? [])].map((range) => String(range)));

    test("counts, jumps and marks; Escape goes back to the row", async () => {
      const page = await pages.open(trace("crew"));
      await page.getByRole("tree").focus();
      await page.keyboard.press("Home");
      await selected(page).getByText("report_crew").waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("page/73");
      await page.getByText("11 found").waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("1 of 11").waitFor();
      await page.keyboard.press("Enter");
      await page.getByText("2 of 11").waitFor();
      await page.keyboard.press("Shift+Enter");
      await page.getByText("1 of 11").waitFor();
      await page.getByRole("button", { name: "Next hit" }).click();
      await page.getByText("2 of 11").waitFor();
      await until(async () => (await marks(page)).includes("page/73"));
      await field(page).press("Escape");
      await until(() => page.getByRole("tree").evaluate((tree) => tree === document.activeElement));
      expect(await field(page).inputValue()).toBe("");
      await until(async () => (await marks(page)).length === 0);
    });

    test("the tree stays while the server searches", async () => {
      const page = await pages.open(trace("agent"));
      await row(page, "lookup_account").waitFor();
      const shown = await rows(page).count();
      const answer = Promise.withResolvers<void>();
      await page.route("**/graphql", async (route) => {
        if (/SpanSearch/.test(route.request().postData() ?? "")) await answer.promise;
        await route.continue();
      });
      await field(page).fill("second key first");
      await page.getByText("Searching inputs and outputs").first().waitFor();
      expect(await rows(page).count()).toBe(shown);
      answer.resolve();
      await page.getByText(/^\d+ found$/).waitFor();
      expect(await rows(page).count()).toBeLessThan(shown);
    });

    test("opens what is folded where it holds the words", async () => {
      const page = await pages.open(trace("desk"));
      await row(page, "ChatCompletion").click();
      await field(page).fill('"159. Answer"');
      await until(async () => (await marks(page)).includes("159. Answer"));
      await pages.picture(page, "find-marks");
    });

    test("typing into ten thousand spans waits for nothing", async () => {
      const page = await pages.open(trace("wide"));
      await page
        .getByText(/of 10,000 spans/)
        .first()
        .waitFor();
      await page.getByText("500 of 10,000 spans loaded").waitFor({ state: "hidden" });
      let asked = 0;
      page.on("request", (request) => {
        if (/SpanSearch/.test(request.postData() ?? "")) asked++;
      });
      await page.evaluate(() => {
        const { replaceState } = history;
        Object.assign(window, { written: 0 });
        history.replaceState = (...given) => {
          (window as unknown as { written: number }).written++;
          replaceState.apply(history, given);
        };
      });
      await field(page).pressSequentially("needle in the stack");
      await row(page, `step ${SPANS - 7}`).waitFor();
      // Neither the address nor the rows nor the server follow every letter.
      expect(await page.evaluate(() => (window as unknown as { written: number }).written)).toBeLessThan(10);
      expect(asked).toBeLessThan(6);
    });
  });

  test("a picture that was sent along is shown at once", async () => {
    const page = await pages.open(trace("picture"));
    const picture = card(page, "input").locator("img");
    await until(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth === 320));
    expect(await page.getByRole("button", { name: "Show image" }).count()).toBe(0);
  });

  test.each(["desktop", "phone"] as const)(
    "the head of the panel is one line, and only the tree is saturated, %s",
    async (width) => {
      const page = await pages.open(trace("agent"), { width, theme: width === "phone" ? "dark" : "light" });
      await row(page, "support_agent").waitFor();
      const head = page.locator("header").filter({ has: page.getByRole("heading", { level: 2 }) });
      const title = head.getByRole("heading", { level: 2 });
      expect(await title.evaluate((element) => getComputedStyle(element).fontSize)).toBe("15px");
      const figures = head.locator("b");
      expect(await figures.first().evaluate((element) => getComputedStyle(element).fontSize)).toBe("13px");
      expect(await linesOf(title)).toBe(1);
      // On a phone those that have no room in the line are below it, out of sight.
      const { y, height } = (await head.boundingBox())!;
      const tops = await figures.evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)));
      const seen = new Set(tops.filter((top) => top < y + height - 8));
      expect([seen.size, width === "phone" || seen.size === new Set(tops).size]).toEqual([1, true]);
      await figures.nth(1).hover();
      await page.getByRole("tooltip").getByText("Latency").waitFor();
      await head.getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: "Open the session" }).waitFor();
      await page.keyboard.press("Escape");
      const filled = await page
        .getByRole("img", { name: /^(Agent|LLM|Tool)$/ })
        .evaluateAll(
          (glyphs) =>
            glyphs.filter(
              (glyph) =>
                glyph.closest("[role=tree]") === null && getComputedStyle(glyph).backgroundColor !== "rgba(0, 0, 0, 0)",
            ).length,
        );
      expect(filled).toBe(0);
      await pages.expectAccessible(page);
    },
  );

  test("the panel comes from its side, and stands still for those who asked for no motion", async () => {
    const page = await pages.open(trace("agent"));
    await row(page, "support_agent").waitFor();
    const panel = page.getByRole("region", { name: "Trace", exact: true }).locator("xpath=..");
    const motion = () =>
      panel.evaluate((element) => {
        const { animationName, animationDuration } = getComputedStyle(element);
        const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
        const frames = rules.find((rule) => rule instanceof CSSKeyframesRule && rule.name === animationName);
        return { seconds: Number.parseFloat(animationDuration), way: frames?.cssText ?? "" };
      });
    expect((await motion()).seconds).toBe(0);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    const { seconds, way } = await motion();
    expect(seconds).toBeLessThanOrEqual(0.12);
    expect(seconds).toBeGreaterThan(0);
    expect(way).toMatch(/translate(X)?\(16px\)/);
  });
});
