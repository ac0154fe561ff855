// Saved views over GraphQL: who sees, keeps and changes which, what is refused, and what goes when people and projects go.

import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { openPrincipal, type Principal } from "../../src/access/principal.ts";
import { globalId } from "../../src/kernel/ids.ts";
import type { User } from "../../src/modules/accounts/users/users.schema.ts";
import { MAX_VIEWS } from "../../src/modules/tracing/views/views.service.ts";
import { wanted } from "../support/accounts.ts";
import { openTestApi } from "../support/api.ts";
import { forEachDriver } from "../support/drivers.ts";
import { askData, askRefusal } from "../support/graphql.ts";
import { signedIn } from "../support/principals.ts";
import { openForSuite } from "../support/suite.ts";

interface View {
  readonly id: string;
  readonly name: string;
  readonly tab: string;
  readonly query: string;
  readonly isShared: boolean;
  readonly isStart: boolean;
  readonly user: { readonly username: string } | null;
}

const FIELDS = "id name tab query isShared isStart user { username }";
const CREATE = `mutation ($input: CreateSavedViewInput!) { createSavedView(input: $input) { savedView { ${FIELDS} } } }`;
const PATCH = `mutation ($input: PatchSavedViewInput!) { patchSavedView(input: $input) { savedView { ${FIELDS} } } }`;
const DELETE = "mutation ($id: ID!) { deleteSavedView(id: $id) { savedViewId } }";
const START =
  "mutation ($input: SetStartViewInput!) { setStartView(input: $input) { project { startView { name } savedViews { name isStart } } } }";
const LIST = `query ($id: ID!) { node(id: $id) { ... on Project { startView { name } savedViews { ${FIELDS} } } } }`;
const NODE = "query ($id: ID!) { node(id: $id) { ... on SavedView { name } } }";
const NEW_PROJECT = "mutation ($name: String!) { createProject(input: { name: $name }) { project { id } } }";

forEachDriver("saved views over GraphQL", (driver) => {
  const api = openForSuite(async () =>
    openTestApi(await driver.createDatabase(), {
      resolvePrincipal: () => principal,
      isStorageLocked: () => isLocked,
    }),
  );
  let principal: Principal;
  let isLocked = false;
  let project: string;
  let projects = 0;
  let [ann, bob, eve]: User[] = [];
  beforeAll(async () => {
    const make = (username: string) =>
      api.accounts.users.createUser(api.context(), wanted({ username, email: `${username}@example.com` }));
    [ann, bob, eve] = [await make("ann"), await make("bob"), await make("eve")];
  });
  beforeEach(async () => {
    isLocked = false;
    principal = signedIn(ann!.id, "MEMBER");
    project = await newProject();
  });

  async function newProject(): Promise<string> {
    projects += 1;
    const { createProject } = await askData<{ createProject: { project: { id: string } } }>(api, NEW_PROJECT, {
      name: `project ${projects}`,
    });
    return createProject.project.id;
  }
  const given = (changes: object = {}) => ({
    input: { projectId: project, name: "Slow", tab: "traces", query: "sort=-latencyMs", isShared: true, ...changes },
  });
  const create = async (changes: object = {}) =>
    (await askData<{ createSavedView: { savedView: View } }>(api, CREATE, given(changes))).createSavedView.savedView;
  const list = async () =>
    (await askData<{ node: { startView: { name: string } | null; savedViews: View[] } }>(api, LIST, { id: project }))
      .node;
  const names = async () => (await list()).savedViews.map(({ name }) => name);
  const refused = (query: string, variables: Record<string, unknown>) => askRefusal(api, query, variables);

  test("are listed by name, as they were saved", async () => {
    const slow = await create({ name: " Slow ", query: "?sort=-latencyMs&range=1d&filter=a" });
    await create({ name: "Failed", tab: "spans", query: "", isShared: false });
    expect(slow).toEqual({
      id: slow.id,
      name: "Slow",
      tab: "traces",
      query: "filter=a&sort=-latencyMs&range=1d",
      isShared: true,
      isStart: false,
      user: { username: "ann" },
    });
    expect(await list()).toEqual({
      startView: null,
      savedViews: [expect.objectContaining({ name: "Failed", tab: "spans", isShared: false }), slow],
    });
  });

  test("are changed one field at a time", async () => {
    const { id, ...view } = await create();
    const patch = async (changes: object) =>
      (await askData<{ patchSavedView: { savedView: View } }>(api, PATCH, { input: { id, ...changes } })).patchSavedView
        .savedView;
    expect(await patch({ name: " Slower " })).toEqual({ id, ...view, name: "Slower" });
    expect(await patch({ query: "range=1h", tab: "sessions" })).toEqual({
      id,
      ...view,
      name: "Slower",
      tab: "sessions",
      query: "range=1h",
    });
    expect(await askData<unknown>(api, DELETE, { id })).toEqual({ deleteSavedView: { savedViewId: id } });
    expect(await names()).toEqual([]);
    expect(await refused(DELETE, { id })).toBe(`NOT_FOUND No saved view has the id ${id}`);
  });

  describe("a private view", () => {
    test("is there for its owner alone", async () => {
      const { id } = await create({ name: "Mine", isShared: false });
      const missing = `NOT_FOUND No saved view has the id ${id}`;
      for (const other of [signedIn(bob!.id, "ADMIN"), signedIn(bob!.id, "VIEWER"), openPrincipal]) {
        principal = other;
        expect(await names()).toEqual([]);
        expect(await refused(NODE, { id })).toStartWith("NOT_FOUND");
        expect(await refused(PATCH, { input: { id, name: "Yours" } })).toBe(missing);
        expect(await refused(DELETE, { id })).toBe(missing);
      }
      principal = signedIn(ann!.id, "MEMBER");
      expect(await askData<unknown>(api, NODE, { id })).toEqual({ node: { name: "Mine" } });
    });

    test("has a name of its own beside those of others and of everybody", async () => {
      await create({ isShared: false });
      await create({ isShared: true });
      principal = signedIn(bob!.id, "MEMBER");
      await create({ isShared: false });
      expect(await names()).toEqual(["Slow", "Slow"]);
      expect(await refused(CREATE, given({ isShared: false }))).toBe('CONFLICT A saved view named "Slow" exists');
      expect(await refused(CREATE, given())).toBe('CONFLICT A saved view named "Slow" exists');
      const { id } = await create({ name: "Slower" });
      expect(await refused(PATCH, { input: { id, name: "Slow" } })).toBe('CONFLICT A saved view named "Slow" exists');
    });

    test("is kept by viewers too, who leave those of everybody alone", async () => {
      const { id } = await create();
      principal = signedIn(eve!.id, "VIEWER");
      const mine = await create({ name: "Mine", isShared: false });
      expect(await names()).toEqual(["Mine", "Slow"]);
      await askData(api, DELETE, { id: mine.id });
      const viewer = "UNAUTHORIZED Viewers cannot perform this action";
      expect(await refused(CREATE, given({ name: "All" }))).toBe(viewer);
      expect(await refused(PATCH, { input: { id, name: "All" } })).toBe(viewer);
      expect(await refused(DELETE, { id })).toBe(viewer);
      expect(await refused(START, { input: { projectId: project, viewId: id } })).toBe(viewer);
    });

    test("becomes one for everybody, and private again by who saved it", async () => {
      const { id } = await create({ name: "Mine", isShared: false });
      const share = (isShared: boolean) => ({ input: { id, isShared } });
      await askData(api, PATCH, share(true));
      principal = signedIn(bob!.id, "MEMBER");
      expect(await names()).toEqual(["Mine"]);
      expect(await refused(PATCH, share(false))).toContain("Only who saved the view");
      principal = signedIn(bob!.id, "ADMIN");
      expect(await refused(PATCH, share(false))).toBe(
        "BAD_REQUEST isShared: only who saved a view can make it private",
      );
      principal = signedIn(ann!.id, "MEMBER");
      await askData(api, START, { input: { projectId: project, viewId: id } });
      expect(await refused(PATCH, share(false))).toContain("the project opens with the view");
      await askData(api, START, { input: { projectId: project, viewId: null } });
      await askData(api, PATCH, { input: { id, isShared: false, name: "Mine again" } });
      expect((await list()).savedViews).toEqual([expect.objectContaining({ name: "Mine again", isShared: false })]);
      await create({ name: "Mine again" });
      expect(await refused(PATCH, share(true))).toBe('CONFLICT A saved view named "Mine again" exists');
      principal = signedIn(bob!.id, "ADMIN");
      expect(await refused(PATCH, share(true))).toBe(`NOT_FOUND No saved view has the id ${id}`);
      principal = signedIn(ann!.id, "VIEWER");
      expect(await refused(PATCH, share(true))).toBe("UNAUTHORIZED Viewers cannot perform this action");
    });

    test("has no owner while authentication is off", async () => {
      principal = openPrincipal;
      expect(await refused(CREATE, given({ isShared: false }))).toBe(
        "BAD_REQUEST isShared: must be true while authentication is off",
      );
      expect((await create()).user).toBeNull();
      expect(await names()).toEqual(["Slow"]);
    });
  });

  describe("a view for everybody", () => {
    const rename = (id: string, name: string) => askData(api, PATCH, { input: { id, name } });

    test("is changed and deleted by who saved it and by administrators alone", async () => {
      const { id } = await create();
      principal = signedIn(bob!.id, "MEMBER");
      const own =
        'UNAUTHORIZED Only who saved the view "Slow" and administrators can change or delete it: save one of your own';
      expect(await refused(PATCH, { input: { id, name: "Mine now" } })).toBe(own);
      expect(await refused(DELETE, { id })).toBe(own);
      expect(await names()).toEqual(["Slow"]);
      // Its own saver as a member, then another person as an administrator.
      principal = signedIn(ann!.id, "MEMBER");
      await rename(id, "Slower");
      principal = signedIn(bob!.id, "ADMIN");
      await rename(id, "Slowest");
      await askData(api, DELETE, { id });
      expect(await names()).toEqual([]);
    });

    test("is made the start by whoever may write", async () => {
      const { id } = await create();
      principal = signedIn(bob!.id, "MEMBER");
      await askData(api, START, { input: { projectId: project, viewId: id } });
      expect((await list()).startView).toEqual({ name: "Slow" });
    });

    test("belongs to administrators where nobody signed in to save it", async () => {
      principal = openPrincipal;
      const { id } = await create();
      await rename(id, "Slower");
      principal = signedIn(ann!.id, "MEMBER");
      expect(await refused(DELETE, { id })).toStartWith("UNAUTHORIZED Only who saved");
      principal = signedIn(bob!.id, "ADMIN");
      await askData(api, DELETE, { id });
      expect(await names()).toEqual([]);
    });
  });

  describe("the start of a project", () => {
    const start = (viewId: string | null, projectId = project) => ({ input: { projectId, viewId } });

    test("is one view at a time", async () => {
      const [one, other] = [await create({ name: "One" }), await create({ name: "Other" })];
      const set = async (view: View | null) =>
        (await askData<{ setStartView: { project: unknown } }>(api, START, start(view?.id ?? null))).setStartView
          .project;
      const views = (starting: string | null) => ["One", "Other"].map((name) => ({ name, isStart: name === starting }));
      expect(await set(one)).toEqual({ startView: { name: "One" }, savedViews: views("One") });
      expect(await set(other)).toEqual({ startView: { name: "Other" }, savedViews: views("Other") });
      expect(await set(null)).toEqual({ startView: null, savedViews: views(null) });
      await set(other);
      await askData(api, DELETE, { id: other.id });
      expect((await list()).startView).toBeNull();
    });

    test("stays one when two are made it at once", async () => {
      const made = await Promise.all(["a", "b", "c", "d"].map((name) => create({ name })));
      await Promise.all(made.map(({ id }) => askData(api, START, start(id))));
      expect((await list()).savedViews.filter(({ isStart }) => isStart)).toHaveLength(1);
    });

    test("is for everybody, and of this project", async () => {
      const mine = await create({ isShared: false });
      expect(await refused(START, start(mine.id))).toBe(
        "BAD_REQUEST viewId: a project opens for everybody, so its start cannot be a private view",
      );
      const here = await create();
      expect(await refused(START, start(here.id, await newProject()))).toBe(
        "BAD_REQUEST viewId: the saved view is one of another project",
      );
    });
  });

  describe("what is refused", () => {
    test.each<[object, string]>([
      [{ name: "  " }, "name: must not be empty"],
      [{ name: "x".repeat(201) }, "name: must not be longer than 200 bytes"],
      [{ query: "https://elsewhere.example/?a=b" }, 'query: "https://elsewhere.example/?a" is not one of'],
      [{ query: `filter=${"x".repeat(8000)}` }, "query: must not be longer than 8000 bytes"],
    ])("%p", async (changes, problem) => {
      expect(await refused(CREATE, given(changes))).toStartWith(`BAD_REQUEST ${problem}`);
      const { id } = await create();
      expect(await refused(PATCH, { input: { id, ...changes } })).toStartWith(`BAD_REQUEST ${problem}`);
    });

    test("a tab that is no list, another id, a project that is not there", async () => {
      expect(await refused(CREATE, given({ tab: "config" }))).toContain("SavedViewTab");
      const user = globalId("User", 1);
      expect(await refused(DELETE, { id: user })).toBe(`BAD_REQUEST ${user} is not the id of a SavedView`);
      expect(await refused(CREATE, given({ projectId: globalId("Project", 99_999) }))).toStartWith("NOT_FOUND");
      // A name is no id.
      expect(await refused(CREATE, given({ projectId: "default" }))).toStartWith("BAD_REQUEST default");
    });

    test("what adds to a full disk", async () => {
      const { id } = await create();
      isLocked = true;
      expect(await refused(CREATE, given())).toStartWith("INSUFFICIENT_STORAGE");
      await askData(api, DELETE, { id });
    });

    test("more than a project and a person may have", async () => {
      const input = (at: number, isShared: boolean) => given({ name: `view ${at}`, isShared });
      for (const isShared of [true, false]) {
        for (let at = 1; at < MAX_VIEWS; at++) await askData(api, CREATE, input(at, isShared));
        // Two for the last place.
        const answers = await Promise.all([0, MAX_VIEWS].map((at) => refused(CREATE, input(at, isShared))));
        expect(answers.sort()).toEqual([
          isShared
            ? `BAD_REQUEST The project has ${MAX_VIEWS} saved views for everybody: delete one first`
            : `BAD_REQUEST You have ${MAX_VIEWS} private views in this project: delete one first`,
          "none",
        ]);
      }
      principal = signedIn(bob!.id, "MEMBER");
      await create({ isShared: false });
      expect(await names()).toHaveLength(MAX_VIEWS + 1);
    });
  });

  test("a person who goes takes the private views along, and leaves those for everybody", async () => {
    const dan = await api.accounts.users.createUser(
      api.context(),
      wanted({ username: "dan", email: "dan@example.com" }),
    );
    principal = signedIn(dan.id, "MEMBER");
    await create({ name: "Mine", isShared: false });
    await create({ name: "All" });
    await api.accounts.users.deleteUsers(api.context(), [dan.id]);
    principal = signedIn(ann!.id, "MEMBER");
    expect((await list()).savedViews).toEqual([expect.objectContaining({ name: "All", user: null })]);
    const database = api.stored.storage.handle.read(api.context(), "short");
    const rows = await database.selectFrom("saved_views").select("name").where("private_to", "=", dan.id).execute();
    expect(rows).toEqual([]);
  });

  test("a project that goes takes its views along", async () => {
    const { id } = await create({ name: "Of a project" });
    principal = signedIn(bob!.id, "ADMIN");
    await askData(api, "mutation ($id: ID!) { deleteProject(id: $id) { projectCount } }", { id: project });
    expect(await refused(NODE, { id })).toStartWith("NOT_FOUND");
    const database = api.stored.storage.handle.read(api.context(), "short");
    const rows = await database.selectFrom("saved_views").select("name").where("name", "=", "Of a project").execute();
    expect(rows).toEqual([]);
  });
});
