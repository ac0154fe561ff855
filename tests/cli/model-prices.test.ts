// What a call costs in a service that was started: by the built-in prices, or by those of a file.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forEachDriver } from "../support/drivers.ts";
import { type RunningService, servicesOfSuite } from "../support/server.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(60_000);

forEachDriver("prices of models", (driver) => {
  const startService = servicesOfSuite();
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "spanlight-prices-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function costOf(service: RunningService, model: string): Promise<number> {
    const sent = await fetch(`${service.url}/v1/projects/default/spans`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        data: [
          {
            name: "call",
            span_kind: "LLM",
            context: { trace_id: crypto.randomUUID(), span_id: crypto.randomUUID() },
            start_time: "2026-11-23T00:00:00Z",
            end_time: "2026-11-23T00:00:01Z",
            status_code: "OK",
            attributes: {
              "llm.model_name": model,
              "llm.token_count.prompt": 1000,
              "llm.token_count.completion": 100,
            },
          },
        ],
      }),
    });
    expect([sent.status, await sent.text()]).toEqual([202, expect.any(String)]);
    const query = "{ projects { edges { node { costSummary { total { cost } } } } } }";
    const answer = await fetch(`${service.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query }),
    });
    const { data } = (await answer.json()) as {
      data: { projects: { edges: { node: { costSummary: { total: { cost: number | null } } } }[] } };
    };
    return data.projects.edges[0]!.node.costSummary.total.cost ?? 0;
  }

  test("are built in: the first span of a current model has its cost", async () => {
    const service = await startService({ databaseUrl: await driver.createEmptyDatabase() });
    expect(await costOf(service, "gpt-5")).toBeCloseTo(0.00225, 12);
  });

  test("are those of a file that takes their place", async () => {
    const file = join(folder, "prices.json");
    const models = [{ name: "acme", pattern: "^acme", prompt: { input: 3 }, completion: { output: 7 } }];
    await Bun.write(file, JSON.stringify({ models }));
    const databaseUrl = await driver.createEmptyDatabase();
    const service = await startService({ databaseUrl, env: { SERVICE_MODEL_PRICES_FILE: file } });
    expect(await costOf(service, "acme-7b")).toBeCloseTo(0.0037, 12);
    expect(await costOf(service, "gpt-5")).toBeCloseTo(0.0037, 12);
  });

  test("say in the log which pattern is too expensive", async () => {
    const file = join(folder, "expensive.json");
    const pattern = "(?:(?:a?){120}){2}[bc]{3}qN$";
    const models = [..."abcdefgh"].map((name) => ({
      ...{ name, pattern: `${pattern}|${name}{2}x`, prompt: { input: 3 }, completion: { output: 7 } },
    }));
    await Bun.write(file, JSON.stringify({ models }));
    const databaseUrl = await driver.createEmptyDatabase();
    const service = await startService({ databaseUrl, env: { SERVICE_MODEL_PRICES_FILE: file } });
    expect(await costOf(service, "a".repeat(1000))).toBe(0);
    await until(() => service.log().includes("the pattern of a model is too expensive"));
    expect(service.log()).toContain(`name_pattern=${pattern}|a{2}x`);
    expect(await costOf(service, "hhx")).toBeCloseTo(0.0037, 12);
  });

  test("stop the start where their file is broken", async () => {
    const file = join(folder, "broken.json");
    await Bun.write(file, '{"models": [\n{"name": "a"},\n{"name": "b",,}\n]}');
    const env = { SERVICE_MODEL_PRICES_FILE: file };
    const started = startService({ databaseUrl: await driver.createEmptyDatabase(), env });
    await expect(started).rejects.toThrow(
      "SERVICE_MODEL_PRICES_FILE: The file of model prices is not usable: it is no JSON, line 3",
    );
  });
});
