// The official TypeScript client, unmodified, against the real service: datasets with their examples, versions and splits.
import { beforeAll, expect, test } from "bun:test";
import { createClient, type PhoenixClient } from "@arizeai/phoenix-client";
import {
  appendDatasetExamples,
  createDataset,
  getDataset,
  getDatasetExamples,
  getDatasetInfo,
} from "@arizeai/phoenix-client/datasets";
import { datasetSnippet, firstDatasetSnippet, type Task } from "../../src/web/pages/datasets/code/dataset-snippets.ts";
import { forEachService } from "../support/services.ts";

const questions = [
  { id: "refund", input: { q: "Where is it?" }, output: { a: "On its way." }, splits: ["train", "easy"] },
  { input: { q: "Why?" }, output: { a: "Because." }, metadata: { level: 2 }, splits: "test" },
  { input: { q: "When?" }, splits: null },
];

interface Named {
  readonly id: string;
  readonly name: string;
}
interface Answer {
  readonly data: Named | readonly Named[];
}

forEachService("datasets of phoenix-client", (service) => {
  let client: PhoenixClient;
  let datasetId = "";
  beforeAll(async () => {
    client = createClient({ options: { baseUrl: service.running.url } });
    ({ datasetId } = await createDataset({ client, name: "questions", description: "asked", examples: questions }));
  });

  const inputs = async (selector: object) => {
    const { examples } = await getDatasetExamples({ client, dataset: { datasetName: "questions", ...selector } });
    return examples.map(({ input }) => input.q);
  };

  test("createDataset and getDataset: examples come back as they were sent, by id and by name", async () => {
    const byId = await getDataset({ client, dataset: { datasetId } });
    expect(byId).toMatchObject({ id: datasetId, name: "questions", description: "asked" });
    expect(byId.examples.map(({ id, input, output, metadata }) => ({ id, input, output, metadata }))).toEqual([
      { id: "refund", input: { q: "Where is it?" }, output: { a: "On its way." }, metadata: {} },
      { id: byId.examples[1]!.id, input: { q: "Why?" }, output: { a: "Because." }, metadata: { level: 2 } },
      { id: byId.examples[2]!.id, input: { q: "When?" }, output: {}, metadata: {} },
    ]);
    const byName = await getDataset({ client, dataset: { datasetName: "questions" } });
    expect(byName.examples).toEqual(byId.examples);
    expect(await getDatasetInfo({ client, dataset: { datasetId } })).toMatchObject({
      id: datasetId,
      name: "questions",
    });
  });

  test("getDatasetExamples: those of a split, and of two", async () => {
    expect(await inputs({ splits: ["train"] })).toEqual(["Where is it?"]);
    expect(await inputs({ splits: ["easy", "test"] })).toEqual(["Where is it?", "Why?"]);
  });

  test("createDataset again with the same examples changes nothing, with fewer it removes the others", async () => {
    const name = "declared";
    const { datasetId: id } = await createDataset({ client, name, description: "", examples: questions });
    const before = await getDataset({ client, dataset: { datasetId: id } });
    await createDataset({ client, name, description: "", examples: questions });
    expect((await getDataset({ client, dataset: { datasetId: id } })).versionId).toBe(before.versionId);
    await createDataset({ client, name, description: "", examples: questions.slice(0, 1) });
    expect((await getDataset({ client, dataset: { datasetId: id } })).examples.length).toBe(1);
  });

  test("appendDatasetExamples: a version more, and the older one stays as it was", async () => {
    const name = "growing";
    const { datasetId: id } = await createDataset({ client, name, description: "", examples: questions });
    const before = await getDataset({ client, dataset: { datasetId: id } });
    const { versionId } = await appendDatasetExamples({
      client,
      dataset: { datasetName: name },
      examples: [{ input: { q: "Who?" } }],
    });
    expect(versionId).not.toBe(before.versionId);
    const then = await getDatasetExamples({ client, dataset: { datasetId: id, versionId: before.versionId } });
    expect(then.examples).toEqual(before.examples);
    expect((await getDatasetExamples({ client, dataset: { datasetId: id } })).examples.length).toBe(4);
  });

  test("the programs that the page of a dataset offers run as they are", async () => {
    const { datasetId: id } = await createDataset({
      client,
      name: 'in "quotes"',
      description: "",
      examples: questions,
    });
    const { versionId } = await getDataset({ client, dataset: { datasetId: id } });
    const run = (task: Task, version: string | null) => {
      const target = { base: service.running.url, name: 'in "quotes"', versionId: version };
      return runProgram(datasetSnippet("typescript", task, target));
    };
    const runProgram = async (code: string) => {
      const program = Bun.spawn([process.execPath, "-e", code], { stderr: "pipe" });
      const [out, problems] = await Promise.all([
        new Response(program.stdout).text(),
        new Response(program.stderr).text(),
      ]);
      expect([await program.exited, problems]).toEqual([0, ""]);
      return out;
    };
    expect(await run("append", null)).toBe("");
    expect((await run("read", null)).match(/Where is it/g)?.length).toBe(2);
    expect((await run("read", versionId)).match(/Where is it/g)?.length).toBe(1);
    await runProgram(firstDatasetSnippet("typescript", service.running.url));
    const first = await getDataset({ client, dataset: { datasetName: "questions" } });
    expect(first.examples.map(({ output }) => output)).toEqual([{ answer: "On its way." }]);
  });

  test("two appends at once are both in", async () => {
    const name = "busy";
    const { datasetId: id } = await createDataset({ client, name, description: "", examples: [] });
    const batch = (word: string) => Array.from({ length: 200 }, (_, at) => ({ input: { q: `${word} ${at}` } }));
    const both = await Promise.all(
      ["left", "right"].map((word) =>
        appendDatasetExamples({ client, dataset: { datasetId: id }, examples: batch(word) }),
      ),
    );
    expect(both[0]!.versionId).not.toBe(both[1]!.versionId);
    expect((await getDatasetExamples({ client, dataset: { datasetId: id } })).examples.length).toBe(400);
  });

  test("splits, labels and the deletion, for which the client has no function", async () => {
    const ask = async (line: string, body?: object): Promise<Answer> => {
      const [method = "GET", path = "/"] = line.split(" ", 2);
      const init =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      const text = await (await fetch(`${service.running.url}${path}`, { method, ...init })).text();
      return JSON.parse(text === "" ? '{"data": []}' : text) as Answer;
    };
    const names = async (line: string) => [(await ask(line)).data].flat().map(({ name }) => name);
    await createDataset({ client, name: "divided", description: "", examples: questions });
    expect((await names("GET /v1/datasets/divided/splits")).sort()).toEqual(["easy", "test", "train"]);
    const label = (await ask("POST /v1/dataset_labels", { name: "golden", color: "#33c5e8" })).data as Named;
    await ask(`PUT /v1/datasets/divided/labels/${label.id}`);
    expect(await names("GET /v1/datasets/divided/labels")).toEqual(["golden"]);
    const gone = await createDataset({ client, name: "gone", description: "", examples: questions });
    await ask(`DELETE /v1/datasets/${gone.datasetId}`);
    const refusal = await getDataset({ client, dataset: { datasetName: "gone" } }).catch((error: unknown) => error);
    expect(String(refusal)).toContain("gone");
    expect(await names("GET /v1/datasets?limit=50")).toContain("divided");
  });
});
