// Routes as Elysia runs them: every step in its turn, and none after one that refuses.
import { describe, expect, test } from "bun:test";
import { pluginOf, type Steps } from "../../src/http/mount.ts";
import { declaredModules } from "../support/declared-routes.ts";

const modules = declaredModules();

/** Steps that say that they were taken, each some time after it began. */
function watchedSteps(taken: string[], refusing?: keyof Steps): Steps {
  const step = (name: keyof Steps) => async () => {
    await new Promise((resolve) => setImmediate(resolve));
    taken.push(name);
    if (name === refusing) throw new Error(`refused by ${name}`);
    return new Response();
  };
  return {
    admit: async () => void (await step("admit")()),
    readInput: async () => void (await step("readInput")()),
    handle: step("handle"),
    answer: step("answer"),
  };
}

async function ask(steps: Steps): Promise<number> {
  const plugin = pluginOf(modules.find(({ name }) => name === "health")!, "", steps);
  return (await plugin.fetch(new Request("http://localhost/healthz"))).status;
}

describe("a mounted route", () => {
  test("is admitted before its input is read, and that before it is handled", async () => {
    const taken: string[] = [];
    expect(await ask(watchedSteps(taken))).toBe(200);
    expect(taken).toEqual(["admit", "readInput", "handle", "answer"]);
  });

  test.each([
    ["admit", ["admit"]],
    ["readInput", ["admit", "readInput"]],
  ] as const)("that %s refuses goes no further", async (refusing, expected) => {
    const taken: string[] = [];
    expect(await ask(watchedSteps(taken, refusing))).toBe(500);
    expect(taken).toEqual([...expected]);
  });

  test("has the name of its operation, with and without the root path", () => {
    for (const module of modules) {
      const { routes } = pluginOf(module, "/sub", watchedSteps([]));
      const named = routes.map(({ method, path, hooks }) => [method, path, hooks.detail.operationId]);
      const expected = module.routes.flatMap(({ method, path, operationId }) => {
        const given = path.replace(/\{\w+\}/g, () => ":parameter").split(":parameter");
        const elysia = given.reduce((text, piece, at) => (at === 0 ? piece : `${text}:parameter${at}${piece}`), "");
        return [elysia, `/sub${elysia}`].map((each) => [method, each, operationId]);
      });
      expect(named).toEqual(expected);
    }
  });
});
