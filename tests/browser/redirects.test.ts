// The addresses that people and clients keep, followed to the page of the thing, with a sub-path and without.
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { exportTo, sendSpans } from "../support/dataset.ts";
import { declaredModules } from "../support/declared-routes.ts";
import type { HttpClient } from "../support/http.ts";
import { forPages } from "../support/pages.ts";
import { hexId, traceOf } from "../support/panel-traces.ts";
import { until } from "../support/until.ts";

const PROJECT = "my bot & co";
const SESSION = "talk 1";
const PROMPT = "key-helper";
const TAG = "production";
const ASKED = "How do I rotate a key?";

async function seed(client: HttpClient): Promise<void> {
  const attributes = { "session.id": SESSION, "input.value": ASKED };
  const spans = traceOf("agent", Date.now() - 3_600_000, [
    { id: "root", name: "agent", kind: "AGENT", from: 0, to: 900, attributes },
    { id: "call", parent: "root", name: "ChatCompletion", kind: "LLM", from: 100, to: 800, attributes },
  ]);
  await sendSpans(exportTo(client), PROJECT, spans);
  const content = {
    model_provider: "OPENAI",
    model_name: "gpt-5",
    template_type: "CHAT",
    template_format: "NONE",
    template: { type: "chat", messages: [{ role: "user", content: ASKED }] },
    invocation_parameters: { type: "openai", openai: {} },
  };
  const made = await client.post("/v1/prompts", { json: { prompt: { name: PROMPT }, version: content } });
  const { id } = (made.json() as { data: { id: string } }).data;
  await client.post(`/v1/prompt_versions/${id}/tags`, { json: { name: TAG } });
}

const TITLE = `${PROJECT} · Projects`;

/** What each leads to: the key, the address of the page, and what it shows. */
const places: Readonly<Record<string, readonly [key: string, address: RegExp, shows: (page: Page) => Promise<void>]>> =
  {
    "/redirects/projects/{key}": [
      PROJECT,
      /^\/projects\/[\w=]+\/traces$/,
      async (page) => {
        await page.locator("[role=row]", { hasText: ASKED }).waitFor();
        await until(async () => (await page.title()).includes(TITLE));
      },
    ],
    "/redirects/traces/{key}": [
      hexId("agent", 32),
      /^\/projects\/[\w=]+\/traces\/[0-9a-f]{32}$/,
      async (page) => {
        await page.getByRole("treeitem", { name: "ChatCompletion" }).waitFor();
        await page.getByRole("heading", { level: 2, name: "agent" }).waitFor();
      },
    ],
    "/redirects/spans/{key}": [
      hexId("agent/call", 16),
      /^\/projects\/[\w=]+\/spans\/[0-9a-f]{32}\?selectedSpanNodeId=[\w%]+$/,
      async (page) => {
        await page.locator("[role=treeitem][aria-selected=true]", { hasText: "ChatCompletion" }).waitFor();
      },
    ],
    "/redirects/prompts/{key}/tags/{tag}": [
      PROMPT,
      /^\/prompts\/[\w=]+\/versions\/[\w=]+$/,
      async (page) => {
        await page.getByText(ASKED).waitFor();
      },
    ],
    "/redirects/sessions/{key}": [
      SESSION,
      /^\/projects\/[\w=]+\/sessions\/[\w=]+$/,
      async (page) => {
        await page.getByRole("heading", { level: 2, name: SESSION }).waitFor();
        await page.getByRole("article", { name: "Turn 1", exact: true }).getByText(ASKED).first().waitFor();
      },
    ],
  };

const declared = declaredModules()
  .flatMap(({ routes }) => routes.map(({ path }) => path))
  .filter((path) => path.startsWith("/redirects/"));

for (const rootPath of ["", "/tools/spans"]) {
  const service = { env: { SERVICE_HOST_ROOT_PATH: rootPath } };
  forPages(`redirects below "${rootPath}"`, { seed, service }, (pages) => {
    test.each(declared)("%s leads to the page of the thing", async (path) => {
      const [key, address, shows] = places[path]!;
      const page = await pages.open(rootPath + path.replace("{key}", encodeURIComponent(key)).replace("{tag}", TAG));
      await page.waitForURL((url) => address.test((url.pathname + url.search).slice(rootPath.length)));
      expect(new URL(page.url()).pathname).toStartWith(`${rootPath}/`);
      await shows(page);
      expect(await page.getByText("Page not found").count()).toBe(0);
    });

    test("the address of a project keeps what stands behind it", async () => {
      const answer = await pages.client().get(`/v1/projects/${encodeURIComponent(PROJECT)}`);
      const { id } = (answer.json() as { data: { id: string } }).data;
      const page = await pages.open(`${rootPath}/projects/${id}?range=30d`);
      await page.waitForURL(`**${rootPath}/projects/${id}/traces?range=30d`);
    });
  });
}
