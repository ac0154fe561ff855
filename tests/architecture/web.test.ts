// The folders of the pages among each other, and what they may take from outside (`webFolders`, `webLibraries`).
import { describe, expect, test } from "bun:test";
import { type Import, importsOf, readSources } from "./imports.ts";
import { pageDeclarations, webDomains, webFolders, webLibraries } from "./layers.ts";

const sources = await readSources("src/web");
const imports = importsOf(sources);
const own = imports.filter(({ library, to }) => !library && to.startsWith("web/") && !to.endsWith(".css"));

const folderOf = (file: string) => webFolders.findIndex(({ files }) => files.test(file));
const domainOf = (file: string) => /^web\/domain\/([^/]+)\//.exec(file)?.[1] ?? null;
const pageOf = (file: string) => /^web\/pages\/([^/]+)\//.exec(file)?.[1] ?? null;

function shown(offenders: readonly Import[]): string[] {
  return offenders.map(({ from, to }) => `${from} imports ${to}`);
}

describe("the pages", () => {
  test("are in known folders, and so is what they share of the domain", () => {
    const files = sources.map(({ path }) => path.slice("src/".length));
    expect(files.filter((file) => folderOf(file) < 0)).toEqual([]);
    const domains = new Set(files.filter((file) => file.startsWith("web/domain/")).map(domainOf));
    expect([...domains].sort()).toEqual(Object.keys(webDomains).sort());
  });

  test("are in folders that know only those before them", () => {
    // The shell shows the current page: the router is handed to it.
    const handed = ({ from, to }: Import) => from === "web/shell/Shell.tsx" && to === "web/router.tsx";
    expect(shown(own.filter((each) => folderOf(each.to) > folderOf(each.from) && !handed(each)))).toEqual([]);
  });

  test("are declared by plain data, which the server reads: at run time declarations import each other only", () => {
    const offenders = imports.filter(({ from, to, typeOnly }) => {
      return pageDeclarations.test(from) && !typeOnly && !pageDeclarations.test(to);
    });
    expect(shown(offenders)).toEqual([]);
  });

  test("share things of the domain that know each other only as the table says", () => {
    const offenders = own.filter(({ from, to }) => {
      const [one, other] = [domainOf(from), domainOf(to)];
      return one !== null && other !== null && one !== other && !webDomains[one]?.includes(other);
    });
    expect(shown(offenders)).toEqual([]);
  });

  test("do not know each other", () => {
    // A trace opens over other pages, too.
    const handed = ({ to }: Import) => to === "web/pages/traces/TraceOverPage.tsx";
    const foreign = own.filter(
      (each) =>
        pageOf(each.from) !== null &&
        pageOf(each.to) !== null &&
        pageOf(each.from) !== pageOf(each.to) &&
        !handed(each),
    );
    expect(shown(foreign)).toEqual([]);
  });

  test("take only the shapes of records from the modules of the server", () => {
    const modules = imports.filter(({ to, typeOnly }) => to.startsWith("modules/") && !typeOnly);
    expect(shown(modules.filter(({ to }) => !to.endsWith(".rules.ts")))).toEqual([]);
  });

  test("import a library only in its own place", () => {
    const used = imports.filter(({ library }) => library);
    const offenders = used.filter(
      ({ from, to }) => !webLibraries.some(({ name, files }) => name.test(to) && files.test(from)),
    );
    expect(shown(offenders)).toEqual([]);
  });

  test("name the kit's primitives and not their library's style sheets: one sheet beside each component", () => {
    const sheets = imports.filter(({ to }) => to.endsWith(".css"));
    expect(
      shown(
        sheets.filter(
          ({ from, to }) => !to.endsWith(".module.css") || from.replace(/[^/]+$/, "") !== to.replace(/[^/]+$/, ""),
        ),
      ),
    ).toEqual([]);
  });
});
