// Holds every import of the source against the tables of layers.ts.
import { describe, expect, test } from "bun:test";
import { cyclesOf, type Import, importsOf, readSources } from "./imports.ts";
import {
  compositionRoots,
  emptyNames,
  entryPoints,
  FEATURE_FILE,
  folders,
  libraries,
  MAX_LINES,
  moduleLayers,
  modulesOpenToAll,
  pageDeclarations,
  serviceEdges,
  sharedWithPages,
  THREADS_FILE,
  VERSION_FILE,
  wings,
} from "./layers.ts";

const sources = await readSources("src");
const imports = importsOf(sources);
const own = imports.filter((each) => !each.library);

/** The folder of a file below `src/`; of one that lies there itself, its name. */
function folderOf(file: string): string {
  return file.split("/", 1)[0]!;
}

function moduleOf(file: string): string | null {
  return /^modules\/[^/]+\/([^/]+)\//.exec(file)?.[1] ?? null;
}

function wingOf(file: string): string | null {
  return /^modules\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/** Where the two paths part: the file or folder of each, in the last folder that holds both. */
function roomsOf(one: string, other: string): [string, string] {
  const [a, b] = [one.split("/"), other.split("/")];
  const parting = a.findIndex((name, index) => name !== b[index]);
  return parting < 0 ? [one, other] : [a.slice(0, parting + 1).join("/"), b.slice(0, parting + 1).join("/")];
}

/** Declarations lie beside their pages and are gathered below them: a room of their own. */
function roomPath(file: string): string {
  return pageDeclarations.test(file) ? file.replace(/^web\/pages\//, "web/declarations/") : file;
}

function shown(offenders: readonly Import[]): string[] {
  return offenders.map(({ from, to }) => `${from} imports ${to}`);
}

describe("layers", () => {
  test("every file lies in a known folder, or is an entry point", () => {
    const found = new Set(sources.map(({ path }) => folderOf(path.slice("src/".length))));
    const known = [...folders, VERSION_FILE];
    expect([...found].filter((name) => !known.includes(name) && !entryPoints.test(name))).toEqual([]);
    expect(folders.filter((name) => !found.has(name))).toEqual([]);
  });

  test("imports run one way, from the last folder of the list down to the first", () => {
    const offenders = own.filter(({ from, to }) => {
      if (!/\.tsx?$/.test(to) || to.startsWith("../") || to === VERSION_FILE || entryPoints.test(from)) return false;
      if (to === THREADS_FILE) return !["server", "cli"].includes(folderOf(from));
      return folders.indexOf(folderOf(to)) > folders.indexOf(folderOf(from)) || entryPoints.test(to);
    });
    expect(shown(offenders)).toEqual([]);
  });

  test("inside the modules they run from the feature down to the schema", () => {
    const layerOf = (file: string) => moduleLayers.findIndex(({ files }) => files.test(file));
    const inModules = own.filter(({ from, to }) => moduleOf(from) !== null && moduleOf(to) !== null);
    const files = sources.map(({ path }) => path.slice("src/".length)).filter((file) => file.startsWith("modules/"));
    expect(files.filter((file) => layerOf(file) < 0)).toEqual([]);
    expect(shown(inModules.filter(({ from, to }) => layerOf(to) > layerOf(from)))).toEqual([]);
  });

  test("the pages take from the server only what is pure, and the shapes of records", () => {
    const offenders = own.filter(({ from, to }) => from.startsWith("web/") && !sharedWithPages.test(to));
    expect(shown(offenders.filter(({ to }) => /\.tsx?$/.test(to)))).toEqual([]);
  });

  test("outside the source only SQL files, the package and embedded assets are imported", () => {
    const outside = own.filter(({ to }) => to.startsWith("../"));
    expect(
      shown(
        outside.filter(
          ({ to }) =>
            !/^\.\.\/(migrations\/.+\.sql|package\.json|dist\/|node_modules\/(graphiql|react(-dom)?-umd)\/)/.test(to),
        ),
      ),
    ).toEqual([]);
  });

  test("no file imports itself, however long the way", () => {
    // Two services may know each other's types (`serviceEdges`): each receives the other at run time.
    const counted = imports.filter(
      ({ from, to, typeOnly }) => !(typeOnly && from.endsWith(".service.ts") && to.endsWith(".service.ts")),
    );
    expect(cyclesOf(counted)).toEqual([]);
  });
});

describe("rooms", () => {
  test("the files and folders of a folder import each other one way only", () => {
    const between = own.flatMap(({ from, to, typeOnly }) => {
      // The shell shows the current page: the router is handed to it.
      if (!/\.tsx?$/.test(to) || to.startsWith("../") || (from === "web/shell/Shell.tsx" && to === "web/router.tsx"))
        return [];
      const [one, other] = roomsOf(roomPath(from), roomPath(to));
      return one === other ? [] : [{ from: one, to: other, library: false, typeOnly }];
    });
    expect(cyclesOf(between)).toEqual([]);
  });
});

describe("modules", () => {
  test("lie in known wings, which know only those that their table names", () => {
    const files = sources.map(({ path }) => path.slice("src/".length)).filter((file) => file.startsWith("modules/"));
    const found = new Set(files.filter((file) => file !== FEATURE_FILE).map(wingOf));
    expect([...found].sort()).toEqual(Object.keys(wings).sort());
    const offenders = own.filter(({ from, to }) => {
      const [one, other] = [wingOf(from), wingOf(to)];
      return one !== null && other !== null && one !== other && !wings[one]!.includes(other);
    });
    expect(shown(offenders)).toEqual([]);
  });

  test("a store of theirs is imported only by its own module's stores and services, and where the program is put together", () => {
    const offenders = own.filter(({ from, to }) => {
      if (moduleOf(to) === null || !to.endsWith(".store.ts") || compositionRoots.test(from)) return false;
      return moduleOf(from) !== moduleOf(to) || !/\.(store|service)\.ts$/.test(from);
    });
    expect(shown(offenders)).toEqual([]);
  });

  test("a module receives only the services it is allowed to", () => {
    const offenders = own.filter(({ from, to }) => {
      const [caller, called] = [moduleOf(from), moduleOf(to)];
      if (caller === null || called === null || caller === called || !to.endsWith(".service.ts")) return false;
      return !modulesOpenToAll.includes(called) && !serviceEdges[caller]?.includes(called);
    });
    expect(shown(offenders)).toEqual([]);
  });

  test("nothing of a module but its schema, rules and service is seen by another module", () => {
    const offenders = own.filter(
      ({ from, to }) =>
        moduleOf(from) !== null &&
        moduleOf(to) !== null &&
        moduleOf(from) !== moduleOf(to) &&
        !compositionRoots.test(from) &&
        !/\.(schema|rules|service|graphql)\.ts$/.test(to),
    );
    expect(shown(offenders)).toEqual([]);
  });
});

describe("libraries", () => {
  const used = imports.filter((each) => each.library && !each.to.startsWith("node:") && each.to !== "bun");

  test("each is imported only in its own place", () => {
    const offenders = used.filter(({ from, to }) => {
      const rule = libraries.find(({ name }) => name.test(to));
      return rule === undefined || !rule.files.test(from);
    });
    expect(shown(offenders.filter(({ from }) => !from.startsWith("web/")))).toEqual([]);
  });
});

describe("files", () => {
  test(`no file is longer than ${MAX_LINES} lines`, async () => {
    const files = await readSources("src", "tests", "scripts");
    // A line for every type of the schema, written by a script.
    const written = files.filter(({ path }) => path !== "src/web/lib/graphql-schema.d.ts");
    const long = written.filter(({ text }) => text.split("\n").length > MAX_LINES);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test("every name says what is inside", async () => {
    const files = await readSources("src", "tests", "scripts");
    const empty = files.filter(({ path }) =>
      path.split(/[/.-]/).some((word) => emptyNames.includes(word.toLowerCase())),
    );
    expect(empty.map(({ path }) => path)).toEqual([]);
  });

  test("every source file opens with what it is for", () => {
    expect(
      sources
        .filter(({ path, text }) => !path.endsWith(".d.ts") && !/^(#!.+\n)?\/\//.test(text))
        .map(({ path }) => path),
    ).toEqual([]);
  });
});
