// The use cases of projects, on both databases.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { systemClock } from "../../../../src/kernel/clock.ts";
import { findGlobalId, globalId, MAX_ROW_ID } from "../../../../src/kernel/ids.ts";
import { arrivalCursors, requestedPage } from "../../../../src/kernel/list.ts";
import type { Project } from "../../../../src/modules/tracing/projects/projects.schema.ts";
import {
  createProjectsService,
  type ProjectsService,
} from "../../../../src/modules/tracing/projects/projects.service.ts";
import { createProjectsStore } from "../../../../src/modules/tracing/projects/projects.store.ts";
import { ownedTables } from "../../../../src/server/features.ts";
import type { CallContext } from "../../../../src/storage/storage.ts";
import { forEachDriver } from "../../../support/drivers.ts";
import { openTestStorage, type TestStorage } from "../../../support/storage.ts";

forEachDriver("projects", (driver) => {
  let stored: TestStorage;
  let projects: ProjectsService;
  let context: CallContext;
  /** What happens while a project is emptied. */
  let emptied: (projectId: number) => Promise<void> = async () => {};

  beforeAll(async () => {
    stored = await openTestStorage(await driver.createDatabase());
    projects = createProjectsService({
      store: createProjectsStore({ ownedTables, dialect: stored.storage.dialect }),
      clock: systemClock,
      defaultProjectName: "home",
      deleteProjectContents: (_context, projectId) => emptied(projectId),
    });
    context = stored.context();
    await projects.ensureDefaultProject(context);
  });
  afterAll(() => stored.close());

  const names = (items: readonly Project[]) => items.map((project) => project.name);
  const create = (name: string) => projects.createProject(context, { name });

  describe("the default project", () => {
    test("is there from the start, as the first row, under its configured name", async () => {
      const home = await projects.getProject(context, "home");
      expect(home).toMatchObject({ id: 1, name: "home", description: "Default project" });
    });

    test("is made once, however often the server starts", async () => {
      const again = await projects.ensureDefaultProject(context);
      expect(again.id).toBe(1);
    });

    test("cannot be deleted, by name or by id", async () => {
      for (const identifier of ["home", globalId("Project", 1)]) {
        await expect(projects.deleteProject(context, identifier)).rejects.toMatchObject({ kind: "forbidden" });
      }
    });

    test("is the configured one: another project named default is ordinary", async () => {
      await create("default");
      await projects.deleteProject(context, "default");
      expect(await projects.findProjectByName(context, "default")).toBeNull();
    });
  });

  describe("identifiers", () => {
    test("a project is found by id and by its exact name", async () => {
      const made = await create("Exact Name");
      expect(await projects.getProject(context, "Exact Name")).toEqual(made);
      expect(await projects.getProject(context, globalId("Project", made.id))).toEqual(made);
      await expect(projects.getProject(context, "exact name")).rejects.toMatchObject({ kind: "not_found" });
    });

    test("what reads as a project's id is not tried as a name, any other id is a name", async () => {
      const unused = globalId("Project", 4711);
      const otherType = globalId("Trace", 1);
      await create(unused);
      await create(otherType);
      await expect(projects.getProject(context, unused)).rejects.toMatchObject({ kind: "not_found" });
      expect((await projects.getProject(context, otherType)).name).toBe(otherType);
    });

    test("an id that cannot exist is not found", async () => {
      for (const id of [0, -1, MAX_ROW_ID + 1]) {
        const identifier = globalId("Project", id);
        await expect(projects.getProject(context, identifier)).rejects.toMatchObject({ kind: "not_found" });
      }
      const endless = Buffer.from(`Project:${"9".repeat(400)}`).toString("base64");
      await expect(projects.getProject(context, endless)).rejects.toMatchObject({ kind: "not_found" });
    });
  });

  describe("create and update", () => {
    test("a name is taken once", async () => {
      await create("taken");
      await expect(create("taken")).rejects.toMatchObject({ kind: "conflict", code: "projects.name_taken" });
    });

    test("names are kept as they are: blanks, slashes, any script, quotes", async () => {
      for (const name of [" padded ", "a/b?c#d", "Größe 日本 🙂", "it's; drop table projects"]) {
        expect((await create(name)).name).toBe(name);
        expect((await projects.findProjectByName(context, name))?.name).toBe(name);
      }
    });

    test("absent and null leave the description, an empty text empties it", async () => {
      await projects.createProject(context, { name: "described", description: "before" });
      const after = async (changes: Parameters<typeof projects.updateProject>[2]) =>
        (await projects.updateProject(context, "described", changes)).description;
      expect(await after({})).toBe("before");
      expect(await after({ description: null })).toBe("before");
      expect(await after({ description: "after" })).toBe("after");
      expect(await after({ description: "" })).toBe("");
    });

    test("colours have defaults and can be changed one by one", async () => {
      const made = await create("coloured");
      expect([made.gradientStartColor, made.gradientEndColor]).toEqual(["#5bdbff", "#1c76fc"]);
      const changed = await projects.updateProject(context, "coloured", { gradient_end_color: "#000000" });
      expect([changed.gradientStartColor, changed.gradientEndColor]).toEqual(["#5bdbff", "#000000"]);
      expect(changed.updatedUs).toBeGreaterThanOrEqual(made.updatedUs);
      expect(changed.createdUs).toBe(made.createdUs);
    });
  });

  describe("list", () => {
    beforeAll(async () => {
      for (const name of ["list-1", "list-2", "LIST-3 100%_Ärger", "list-4"]) await create(name);
    });
    const list = (filter: string, limit: number, cursor?: string) =>
      projects.listProjects(
        context,
        { nameContains: filter, withExperiments: false, withEvaluators: false },
        { ...requestedPage(arrivalCursors("Project"), { limit, cursor }), sort: "arrival", order: "desc" },
      );

    test("newest first", async () => {
      expect(names((await list("list-", 10)).items)).toEqual(["list-4", "LIST-3 100%_Ärger", "list-2", "list-1"]);
    });

    test("follows cursors to the end, each page beginning with the row that the cursor names", async () => {
      const seen: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await list("list-", 3, cursor);
        seen.push(names(page.items));
        cursor = page.next === null ? undefined : globalId("Project", page.next.rowId);
      } while (cursor !== undefined);
      expect(seen).toEqual([["list-4", "LIST-3 100%_Ärger", "list-2"], ["list-1"]]);
    });

    test("finds a part of a name in any letter case, with % and _ as themselves", async () => {
      expect(names((await list("ÄRGER", 10)).items)).toEqual(["LIST-3 100%_Ärger"]);
      expect(names((await list("0%_ä", 10)).items)).toEqual(["LIST-3 100%_Ärger"]);
      expect((await list("%", 10)).items).toHaveLength(1);
      expect((await list("nobody has this", 10)).items).toEqual([]);
    });

    test("an empty filter and an empty cursor count as absent", async () => {
      expect((await list("", 10_000, "")).items.length).toBeGreaterThan(4);
    });

    test("any positive limit is good", async () => {
      expect((await list("list-", Number.MAX_SAFE_INTEGER)).items).toHaveLength(4);
    });
  });

  describe("delete", () => {
    const rowsOf = async (id: number) =>
      (
        await stored.storage.handle
          .read(context, "short")
          .selectFrom("projects")
          .select("id")
          .where("id", "=", id)
          .execute()
      ).length;

    test("the project is invisible while it is emptied, then its row is gone", async () => {
      const { id } = await create("going");
      const seen: unknown[] = [];
      emptied = async (projectId) => {
        seen.push(projectId, await projects.findProjectByName(context, "going"));
        seen.push(
          names(
            (
              await projects.listProjects(
                context,
                { nameContains: "going", withExperiments: false, withEvaluators: false },
                { start: null, limit: 10, sort: "arrival", order: "desc" },
              )
            ).items,
          ),
        );
        seen.push(await create("going").catch((failure: { kind: string }) => failure.kind));
        seen.push(
          await projects.updateProject(context, "going", {}).catch((failure: { kind: string }) => failure.kind),
        );
      };
      await projects.deleteProject(context, "going");
      expect(seen).toEqual([id, null, [], "conflict", "not_found"]);
      expect(await rowsOf(id)).toBe(0);
      await expect(projects.deleteProject(context, "going")).rejects.toMatchObject({ kind: "not_found" });
      emptied = async () => {};
      expect((await create("going")).id).toBeGreaterThan(id);
    });

    test("an interrupted deletion is finished by the next", async () => {
      const { id } = await create("interrupted");
      emptied = async () => {
        throw new Error("the power went out");
      };
      await expect(projects.deleteProject(context, "interrupted")).rejects.toThrow("power");
      expect([await projects.findProjectByName(context, "interrupted"), await rowsOf(id)]).toEqual([null, 1]);
      emptied = async () => {};
      await projects.deleteProject(context, globalId("Project", id));
      expect(await rowsOf(id)).toBe(0);
    });

    test("what arrives while the project is emptied is emptied, too", async () => {
      const { id } = await create("filling");
      const database = stored.storage.handle.write(context);
      const session = { session_key: "s", project_id: id, start_us: 1, end_us: 1, cost: 0 };
      let rounds = 0;
      emptied = async () => {
        rounds++;
        if (rounds === 1) await database.insertInto("sessions").values(session).execute();
        else await database.deleteFrom("sessions").where("project_id", "=", id).execute();
      };
      await projects.deleteProject(context, "filling");
      expect([rounds, await rowsOf(id)]).toEqual([2, 0]);
      emptied = async () => {};
    });

    test("a project that keeps being filled is given up for now", async () => {
      const { id } = await create("flooded");
      const database = stored.storage.handle.write(context);
      const session = { session_key: "flood", project_id: id, start_us: 1, end_us: 1, cost: 0 };
      await database.insertInto("sessions").values(session).execute();
      await expect(projects.deleteProject(context, "flooded")).rejects.toMatchObject({ kind: "unavailable" });
      await database.deleteFrom("sessions").where("project_id", "=", id).execute();
    });

    test("a project that was being deleted becomes whole when it is made the default", async () => {
      const { id } = await create("future-home");
      emptied = async () => {
        throw new Error("the power went out");
      };
      await expect(projects.deleteProject(context, "future-home")).rejects.toThrow("power");
      emptied = async () => {};
      const moved = createProjectsService({
        store: createProjectsStore({ ownedTables, dialect: stored.storage.dialect }),
        clock: { now: () => 1 },
        defaultProjectName: "future-home",
        deleteProjectContents: async () => {},
      });
      expect((await moved.ensureDefaultProject(context)).id).toBe(id);
      expect((await projects.getProject(context, "future-home")).id).toBe(id);
    });
  });

  test("ids of the API are global ids of the rows", async () => {
    const { id } = await create("with-id");
    expect(findGlobalId(globalId("Project", id))).toEqual({ type: "Project", rowId: id });
  });
});
