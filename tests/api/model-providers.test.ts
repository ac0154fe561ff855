// The model providers over REST, all of them and those that the operator offers: the recorded rows, on both databases.
import { expect, test } from "bun:test";
import { openTestApi, send } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import recorded from "../vectors/additions.json" with { type: "json" };

interface Row {
  readonly settings?: Readonly<Record<string, string>>;
  readonly expect: { readonly set: { readonly data: readonly { readonly provider: string; readonly name: string }[] } };
}

const rows = recorded.groups.find(({ group }) => group === "providers")!.vectors as unknown as readonly Row[];

forEachDriver("model providers", (driver) => {
  test.each(rows.map((row) => [JSON.stringify(row.settings ?? "all"), row] as const))("%s", async (_name, row) => {
    const api = await openTestApi(await driver.createDatabase(), { variables: row.settings ?? {} });
    try {
      const answer = await send(api.server, "GET /v1/model_providers");
      const { data } = (await answer.json()) as Row["expect"]["set"];
      expect(answer.status).toBe(200);
      expect(data.toSorted((one, other) => (one.provider < other.provider ? -1 : 1))).toEqual([...row.expect.set.data]);
    } finally {
      await api.close();
    }
  });
});
