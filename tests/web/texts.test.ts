// Every visible text stands in the catalogue, and every class name in a style sheet.
import { describe, expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { en } from "../../src/web/texts/en.ts";
import { text } from "../../src/web/texts/texts.ts";
import { ROOT, readSources } from "../architecture/imports.ts";

const sources = await readSources("src/web");
/** With the texts of parts that come late. */
const all: Record<string, string | { readonly one: string; readonly other: string }> = Object.assign(
  { ...en },
  ...(await Promise.all(
    sources
      .filter(({ path }) => path.endsWith(".late-texts.ts"))
      .map(async ({ path }) => Object.assign({}, ...Object.values(await import(join(ROOT, path))))),
  )),
);
const formsOf = (entry: (typeof all)[string]) => (typeof entry === "string" ? [entry] : [entry.one, entry.other]);
const components = sources.filter(({ path }) => path.endsWith(".tsx"));
const transpiler = new Bun.Transpiler({ loader: "tsx", tsconfig: { compilerOptions: { jsx: "react-jsx" } } });

/** Properties whose value a person sees or hears, and pieces of text between elements. */
const VISIBLE = [
  /\b(?:children|title|label|placeholder|alt|hint|note|problem|"aria-label"): "([^"\n]*\p{L}{2,}[^"\n]*)"/gu,
  /^\s+"([^"\n]*\p{L}{2,}[^"\n]*)",?$/gmu,
];

describe("texts", () => {
  test("no component holds one of its own", () => {
    const literal = components.flatMap(({ path, text: source }) => {
      const script = transpiler.transformSync(source);
      const found = VISIBLE.flatMap((visible) => [...script.matchAll(visible)].map(([, literal = ""]) => literal));
      return found.filter((literal) => !Object.hasOwn(all, literal)).map((literal) => `${path}: ${literal}`);
    });
    expect(literal).toEqual([]);
  });

  test("every key is used", () => {
    const scripts = sources.filter(({ path }) => !path.startsWith("src/web/texts/")).map((source) => source.text);
    const dynamic = [
      ...new Set(scripts.flatMap((source) => [...source.matchAll(/text\(`([\w.]+)\$\{/g)].map(([, key]) => key!))),
    ];
    const used = (key: string) =>
      scripts.some((source) => source.includes(`"${key}"`)) || dynamic.some((prefix) => key.startsWith(prefix));
    expect(Object.keys(all).filter((key) => !used(key))).toEqual([]);
  });

  test("are plain: no capitals throughout, no exclamation mark, no colon at the end", () => {
    const forms = Object.values(all).flatMap(formsOf);
    expect(forms.filter((form) => /!|:$|^[A-Z\s]{6,}$/.test(form))).toEqual([]);
  });

  test("use the terms of the field", () => {
    const house =
      /\b(nobody|somebody|everybody|whoever|anew|is none|was said|spans said|says this|go with it|is like that)\b/i;
    const forms = Object.values(all).flatMap(formsOf);
    expect(forms.filter((form) => house.test(form))).toEqual([]);
  });

  test("take values, and choose their form by the count", () => {
    expect(text("projects.count", { count: 1 })).toBe("1 project");
    expect(text("projects.count", { count: 1200 })).toBe("1,200 projects");
    expect(text("projects.new.created", { name: "a {b}" })).toBe("Project a {b} was created");
  });
});

describe("class names", () => {
  const uses = components.flatMap(({ path, text: source }) =>
    [...source.matchAll(/import (\w+) from "(\.[^"]+\.module\.css)"/g)].map(([, name, file]) => ({
      path,
      sheet: join(ROOT, dirname(path), file!),
      names: [...source.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, "g"))].map(([, each]) => each!),
    })),
  );

  test("that a component uses are in its style sheet", async () => {
    const missing: string[] = [];
    for (const { path, sheet, names } of uses) {
      const css = await Bun.file(sheet).text();
      missing.push(
        ...names.filter((name) => !new RegExp(`\\.${name}\\b`).test(css)).map((name) => `${path}: .${name}`),
      );
    }
    expect(missing).toEqual([]);
  });

  test("use no colour or font of their own: tokens have them all", async () => {
    const offenders: string[] = [];
    for await (const path of new Bun.Glob("src/web/**/*.css").scan({ cwd: ROOT })) {
      if (path.endsWith("kit/tokens.css")) continue;
      const css = (await Bun.file(join(ROOT, path)).text()).replaceAll(/::backdrop \{[^}]*\}/g, "");
      offenders.push(
        ...[...css.matchAll(/#[0-9a-f]{3,8}\b|\brgb\(|\bhsl\(|font-family: (?!var)/gi)].map(
          ([found]) => `${path}: ${found}`,
        ),
      );
    }
    expect(offenders).toEqual([]);
  });
});
