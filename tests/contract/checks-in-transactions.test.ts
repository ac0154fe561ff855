// What is looked at before a change is looked at in its transaction: what another one changed meanwhile is seen, on both databases.

import { expect, test } from "bun:test";
import { sql } from "kysely";
import { messageOf } from "../../src/kernel/failure.ts";
import { globalId } from "../../src/kernel/ids.ts";
import { datasetsFeature } from "../../src/modules/evaluation/datasets/datasets.feature.ts";
import { retentionFeature } from "../../src/modules/tracing/retention/retention.feature.ts";
import { viewsFeature } from "../../src/modules/tracing/views/views.feature.ts";
import type { CallContext } from "../../src/storage/storage.ts";
import { wanted } from "../support/accounts.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { signedIn } from "../support/principals.ts";
import { openForSuite } from "../support/suite.ts";

forEachDriver("checks of changes", (driver) => {
  const api = openForSuite(async () => openTestApi(await driver.createDatabase()));

  /** Until the call has looked at what is there and waits for a transaction. Asked on another connection: within a transaction the
   *  activity stays as it was first read. */
  async function untilItWaits(outer: CallContext): Promise<void> {
    if (driver.name === "sqlite") {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      return;
    }
    for (let waiting = 0; waiting === 0; ) {
      const { rows } = await sql<{ count: number }>`
        select count(*) as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(outer.database.read(outer, "short"));
      waiting = Number(rows[0]?.count);
    }
  }

  /** Starts `call` within a transaction that does `change` before and `behind` while the call waits; answers with the failure. */
  async function failureBehind(
    change: (inner: CallContext) => Promise<unknown>,
    call: () => Promise<unknown>,
    behind: (inner: CallContext) => Promise<unknown> = async () => {},
  ): Promise<string> {
    let failure: Promise<string> | null = null;
    await api.stored.storage.transaction(api.context(), async (inner) => {
      await change(inner);
      failure = call().then(() => "none", messageOf);
      await untilItWaits(api.context());
      await behind(inner);
    });
    return failure!;
  }
  const write = (inner: CallContext) => inner.database.write(inner);
  const rule = { maxDays: 1, maxCount: null, maxBytes: null, keepsAnnotated: false, keepsDatasetSources: false };

  test("a policy that is deleted meanwhile is not found, and no project has it", async () => {
    const { retention } = api.features.use(retentionFeature);
    const { id } = await api.projects.createProject(api.context(), colored("assigned"));
    const made = await retention.createPolicy(api.context(), { ...rule, name: "short", schedule: "0 0 * * 0" });
    const refused = await failureBehind(
      (inner) => write(inner).deleteFrom("retention_policies").where("id", "=", made.id).execute(),
      () => retention.assign(api.context(), "assigned", made.id),
    );
    expect(refused).toBe(`Retention policy with ID ${globalId("ProjectTraceRetentionPolicy", made.id)} not found`);
    const policies = await retention.policiesOfProjects(api.context(), [id]);
    expect(policies.get(id)?.name).toBe("Default");
  });

  test("a project whose deletion begins meanwhile is not found, and no policy is made", async () => {
    const { retention } = api.features.use(retentionFeature);
    const { id } = await api.projects.createProject(api.context(), colored("going"));
    const before = (await retention.listPolicies(api.context())).length;
    const refused = await failureBehind(
      (inner) => write(inner).updateTable("projects").set({ deleting: 1 }).where("id", "=", id).execute(),
      () => retention.createPolicy(api.context(), { ...rule, name: "late", schedule: "0 0 * * 0" }, { add: [id] }),
    );
    expect(refused).toContain(globalId("Project", id));
    expect(await retention.listPolicies(api.context())).toHaveLength(before);
  });

  test("a view that its owner makes private meanwhile is neither changed nor deleted by an administrator", async () => {
    const views = api.features.use(viewsFeature);
    await api.projects.createProject(api.context(), colored("viewed"));
    const [ann, root] = await Promise.all(
      ["ann", "root"].map((username) =>
        api.accounts.users.createUser(api.context(), wanted({ username, email: `${username}@example.com` })),
      ),
    );
    const by = (id: number, role: "MEMBER" | "ADMIN") => ({ ...api.context(), principal: signedIn(id, role) });
    const own = by(ann!.id, "MEMBER");
    const view = { name: "mine", tab: "spans", query: "", isShared: true } as const;
    const administrator = by(root!.id, "ADMIN");
    for (const act of [
      (id: number) => views.changeView(administrator, id, { name: "theirs" }),
      (id: number) => views.deleteView(administrator, id),
    ]) {
      const { id, projectId } = await views.createView(own, "viewed", view);
      const refused = await failureBehind(
        async (inner) => {
          const project = write(inner).selectFrom("projects").select("id").where("id", "=", projectId);
          await (driver.name === "sqlite" ? project : project.forNoKeyUpdate()).execute();
          await write(inner).updateTable("saved_views").set({ private_to: ann!.id }).where("id", "=", id).execute();
        },
        () => act(id),
      );
      expect(refused).toContain(globalId("SavedView", id));
      expect((await views.findViews(own, [id])).get(id)?.name).toBe("mine");
      await views.deleteView(own, id);
    }
  });

  if (driver.name === "postgres") {
    test("datasets of a new label are held in the order of their ids, whatever the caller's", async () => {
      const { datasets, labels } = api.features.use(datasetsFeature);
      const words = { description: null, metadata: "{}" };
      const made = [
        await datasets.createDataset(api.context(), { ...words, name: "first" }),
        await datasets.createDataset(api.context(), { ...words, name: "second" }),
      ];
      const [first, second] = made.map(({ id }) => id);
      const hold = (inner: CallContext, id: number) =>
        write(inner).selectFrom("datasets").select("id").where("id", "=", id).forNoKeyUpdate().noWait().execute();
      const refused = await failureBehind(
        (inner) => hold(inner, first!),
        () =>
          labels.createLabel(api.context(), { name: "both", color: "#ffffff", description: null }, [
            globalId("Dataset", second!),
            "first",
            "second",
          ]),
        // The call waits for the first one, and has not taken the second before it.
        (inner) => hold(inner, second!),
      );
      expect(refused).toBe("none");
      const found = await labels.listOf(api.context(), [first!, second!]);
      expect([...found.values()].map((list) => list.map(({ name }) => name))).toEqual([["both"], ["both"]]);
    });
  }
});

function colored(name: string) {
  return { name, description: null, gradientStartColor: "#000000", gradientEndColor: "#ffffff" };
}
