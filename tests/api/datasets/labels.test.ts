// Labels over REST, on both databases: made, changed, given to datasets and taken from them, and what is said of what is not there; and
// what labels of prompts, the same in GraphQL, refuse.

import { beforeAll, expect, test } from "bun:test";
import { globalId } from "../../../src/kernel/ids.ts";
import { openTestApi, send } from "../../support/api.ts";
import { forEachDriver } from "../../support/drivers.ts";
import { askData, askRefusal } from "../../support/graphql.ts";
import { openForSuite } from "../../support/suite.ts";

forEachDriver("labels", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));
  beforeAll(async () => {
    for (const name of ["first", "second"]) {
      await send(api.server, "POST /v1/datasets/upload?sync=true", {
        json: { action: "create", name, inputs: [{ q: 1 }], outputs: [{ a: 1 }] },
      });
    }
  });

  /** `status text`, or the names in the answer. */
  const ask = async (line: string, json?: object): Promise<string> => {
    const answer = await send(api.server, line, json === undefined ? {} : { json });
    const text = await answer.text();
    if (!answer.ok) return `${answer.status} ${text}`;
    const { data } = JSON.parse(text === "" ? '{"data": []}' : text) as { data: { name: string } | { name: string }[] };
    return [data]
      .flat()
      .map(({ name }) => name)
      .join(" ");
  };
  const make = async (name: string): Promise<string> => {
    const json = { name, color: "#33c5e8", description: "d" };
    return (await (await send(api.server, "POST /v1/dataset_labels", { json })).json()).data.id;
  };
  const unknown = globalId("DatasetLabel", 99);

  test("labels of datasets are made, changed and deleted", async () => {
    const [golden, silver] = [await make("golden"), await make("silver")];
    const path = `/v1/dataset_labels/${golden}`;
    expect(await ask("GET /v1/dataset_labels")).toBe("silver golden");
    expect(await ask("GET /v1/dataset_labels?limit=1")).toBe("silver");
    expect(await ask("POST /v1/dataset_labels", { name: "golden", color: "#33c5e8" })).toBe(
      '409 A label named "golden" exists',
    );
    expect(await ask(`PATCH ${path}`, { name: "silver" })).toBe('409 A label named "silver" exists');
    expect(await ask(`PATCH ${path}`, { name: null })).toBe("422 Name at least one of name, color and description");
    const changed = await send(api.server, `PATCH ${path}`, { json: { name: "gold", description: null } });
    const gold = { id: golden, name: "gold", description: null, color: "#33c5e8" };
    expect(await changed.json()).toEqual({ data: gold });
    expect(await (await send(api.server, `GET ${path}`)).json()).toEqual({ data: gold });
    for (const line of ["GET", "PATCH", "DELETE"].map((method) => `${method} /v1/dataset_labels/`)) {
      const json = line.startsWith("PATCH") ? { color: "#000000" } : undefined;
      expect(await ask(`${line}${unknown}`, json)).toBe(`404 No label of datasets has the id ${unknown}`);
      expect(await ask(`${line}x`, json)).toBe("422 x is not the id of a label of datasets");
    }
    expect(await ask(`DELETE ${path}`)).toBe("");
    expect(await ask(`DELETE /v1/dataset_labels/${silver}`)).toBe("");
    expect(await ask("GET /v1/dataset_labels")).toBe("");
  });

  test("datasets have labels, newest first, until these are taken or deleted", async () => {
    const [one, two, three] = [await make("one"), await make("two"), await make("three")];
    const path = "/v1/datasets/first/labels";
    expect(await ask(`PUT ${path}`, { dataset_label_ids: [two, one, two] })).toBe("two one");
    expect(await ask(`PUT ${path}/${three}`)).toBe("three");
    expect(await ask(`PUT ${path}/${three}`)).toBe("three");
    expect(await ask(`PUT /v1/datasets/second/labels/${three}`)).toBe("three");
    expect(await ask(`GET ${path}`)).toBe("three two one");
    expect(await ask(`PUT ${path}`, { dataset_label_ids: [one, unknown] })).toBe(
      `404 No label of datasets has the id ${unknown}`,
    );
    expect(await ask(`PUT ${path}/${unknown}`)).toBe(`404 No label of datasets has the id ${unknown}`);
    expect(await ask(`PUT ${path}/x`)).toBe("422 x is not the id of a label of datasets");
    for (const line of [`PUT /v1/datasets/none/labels/${one}`, `DELETE /v1/datasets/none/labels/${one}`]) {
      expect(await ask(line)).toBe("404 No dataset has the identifier none");
    }
    expect(await ask(`GET ${path}`)).toBe("three two one");
    expect(await ask(`DELETE ${path}/${two}`)).toBe("");
    expect(await ask(`DELETE ${path}/${two}`)).toBe("");
    expect(await ask(`DELETE /v1/dataset_labels/${one}`)).toBe("");
    expect(await ask(`GET ${path}`)).toBe("three");
    const usage = "{ datasetLabels { edges { node { name usageCount } } } }";
    expect(await askData<object>(api, usage)).toEqual({
      datasetLabels: {
        edges: [{ node: { name: "three", usageCount: 2 } }, { node: { name: "two", usageCount: 0 } }],
      },
    });
    expect(await ask(`PUT ${path}`, {})).toBe("");
  });

  test("labels of prompts refuse what is taken, gone or not carried", async () => {
    const word = (name: string) =>
      askData<{ createPromptLabel: { promptLabels: { id: string }[] } }>(
        api,
        `mutation { createPromptLabel(input: {name: "${name}", color: "#33c5e8", description: "d"}) { promptLabels { id } } }`,
      ).then(({ createPromptLabel }) => createPromptLabel.promptLabels[0]!.id);
    const [used, spare] = [await word("used"), await word("spare")];
    const gone = globalId("PromptLabel", 99);
    const made = await send(api.server, "POST /v1/prompts", { json: promptBody });
    const { prompts } = await askData<{ prompts: { edges: { node: { id: string } }[] } }>(
      api,
      "{ prompts { edges { node { id } } } }",
    );
    expect(made.status).toBe(200);
    const promptId = prompts.edges[0]!.node.id;
    const patch = (id: string, fields: string) =>
      `mutation { patchPromptLabel(input: {promptLabelId: "${id}"${fields}}) { promptLabels { name description color } } }`;
    expect(await askRefusal(api, patch(used, ', name: "spare"'))).toBe('CONFLICT A prompt label named "spare" exists');
    expect(await askRefusal(api, patch(gone, ', name: "x"'))).toBe(`NOT_FOUND No prompt label has the id ${gone}`);
    // The second one changes nothing.
    for (const fields of [", description: null", ""]) {
      expect(await askData<object>(api, patch(used, fields))).toEqual({
        patchPromptLabel: { promptLabels: [{ name: "used", description: null, color: "#33c5e8" }] },
      });
    }
    const change = (name: "set" | "unset", ids: readonly string[], prompt = promptId) =>
      `mutation { ${name}PromptLabels(input: {promptId: "${prompt}", promptLabelIds: ${JSON.stringify(ids)}}) { query { promptCount } } }`;
    const noPrompt = globalId("Prompt", 99);
    expect(await askRefusal(api, change("set", [used], noPrompt))).toBe(
      `NOT_FOUND No prompt has the identifier ${noPrompt}`,
    );
    expect(await askRefusal(api, change("set", [used, gone]))).toBe(`NOT_FOUND No prompt label has the id ${gone}`);
    expect(await askRefusal(api, change("set", ["x"]))).toBe("BAD_REQUEST x is not the id of a PromptLabel");
    await askData(api, change("set", [used]));
    expect(await askRefusal(api, change("unset", [used, spare]))).toBe(
      `NOT_FOUND The prompt does not carry the label ${spare}`,
    );
    const carried = "{ prompts { edges { node { labels { name } } } } }";
    expect(await askData<object>(api, carried)).toEqual({
      prompts: { edges: [{ node: { labels: [{ name: "used" }] } }] },
    });
    await askData(api, change("unset", [used]));
    expect(await askData<object>(api, carried)).toEqual({ prompts: { edges: [{ node: { labels: [] } }] } });
  });
});

const promptBody = {
  prompt: { name: "greeting" },
  version: {
    model_provider: "OPENAI",
    model_name: "gpt-5",
    template: { type: "chat", messages: [{ role: "user", content: "Hi" }] },
    template_type: "CHAT",
    template_format: "MUSTACHE",
    invocation_parameters: { type: "openai", openai: {} },
  },
};
