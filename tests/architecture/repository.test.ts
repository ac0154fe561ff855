// What holds for the repository as a whole: it installs from any registry, its README tells the truth, and nothing slips past
// the checkers.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { ROOT, readSources } from "./imports.ts";

async function read(path: string): Promise<string> {
  return Bun.file(join(ROOT, path)).text();
}

/** Files that git knows or would take, vectors of the contract aside. */
async function textFiles(): Promise<string[]> {
  const listed = await Bun.$`git ls-files --cached --others --exclude-standard`.cwd(ROOT).text();
  const files = listed.split("\n").filter((path) => path !== "" && !path.startsWith("tests/vectors/"));
  const present = await Promise.all(files.map((path) => Bun.file(join(ROOT, path)).exists()));
  return files.filter((_, index) => present[index]);
}

describe("registries", () => {
  test("the lock file names no address", async () => {
    expect((await read("bun.lock")).match(/https?:\/\/[^"]*/g) ?? []).toEqual([]);
  });

  test("no file names the address of a registry or sets one", async () => {
    const address = /https?:\/\/[^\s/"']*(registry|npmjs|pypi|pythonhosted|crates|artifactory|nexus|mirror)[^\s"']*/i;
    const setting = /^\s*(@[\w-]+:)?registry\s*=/m;
    const offenders: string[] = [];
    for (const path of await textFiles()) {
      const text = await read(path);
      if (address.test(text) || setting.test(text)) offenders.push(path);
    }
    expect(offenders).toEqual([]);
  });

  test("every version is exact", async () => {
    const { dependencies, devDependencies } = JSON.parse(await read("package.json")) as Package;
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(npm:[\w-]+@)?\d/.test(version),
    );
    expect(loose).toEqual([]);
  });

  test("the one version of Bun is the same everywhere", async () => {
    const { devDependencies } = JSON.parse(await read("package.json")) as Package;
    const pinned = devDependencies.bun;
    for (const path of ["package.json", "README.md", "docker/Dockerfile", ".ci/run"]) {
      const named = [...(await read(path)).matchAll(/\bbun@(\d[\w.-]*)/g)].map((match) => match[1]);
      expect({ path, others: named.filter((version) => version !== pinned) }).toEqual({ path, others: [] });
    }
  });
});

describe("the README", () => {
  test("names only commands that package.json has", async () => {
    const { scripts } = JSON.parse(await read("package.json")) as Package;
    const commands = [...(await read("README.md")).matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g)];
    expect(commands.length).toBeGreaterThan(1);
    expect(commands.map((match) => match[1] ?? match[2] ?? "").filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("the source", () => {
  /** What is forbidden, where, and what to do instead. */
  const rules: readonly { readonly what: string; readonly text: RegExp; readonly files: RegExp }[] = [
    { what: "a checker is silenced", text: /biome-ignore|@ts-ignore|@ts-expect-error|@ts-nocheck/, files: /./ },
    { what: "`any` hides a type", text: /(?::|\bas|<|,)\s*any\b(?=\s*[;,)>=[\]|&}]|$)/m, files: /./ },
    { what: "work is left undone", text: /\b(TODO|FIXME|XXX|HACK)\b/, files: /./ },
    {
      what: "a test is switched off",
      text: /\b(test|it|describe)\.(only|todo)\(|\b(test|it)\.skip\(/,
      files: /^tests\//,
    },
    {
      what: "an error without a kind: use fail()",
      text: /\bthrow new (Error|TypeError|RangeError)\(/,
      files: /^src\/(model|costs|providers|access|modules|ingest|summaries|otlp|http|graphql|filter|jobs|storage)\//,
    },
    {
      what: "the clock is a parameter",
      text: /\bDate\.now\(|\bnew Date\(\)/,
      files: /^src\/(model|costs|demo-data|providers|access|modules|ingest|summaries|otlp|filter|jobs)\//,
    },
    {
      what: "sums are said to be settled that nobody settled: ask the rollups service",
      text: /\bas Settled<|\bsettledBy\(/,
      files: /^src\/(?!filter\/|summaries\/rollups\/rollups\.service\.ts$)/,
    },
    { what: "chance is a parameter", text: /\bMath\.random\(/, files: /^src\// },
    {
      what: "a phrase that is no standard term: again, dismissed, is not a valid …, best effort, notify",
      text: /\b(anew|put aside|that (is|are) none|no matter of|toldTo|tellOf|patience|makes up for|cheap to ask|covered parts?|(next|due)Moment|Kept(Messages|Annotations)|Says nothing:|what comes of it)\b/i,
      files: /^src\//,
    },
    {
      // Not in prompts for models, nor on the wire: the fields `inputSaid` and `outputSaid`, the column key "said", `saidUs` in stored rows.
      what: "a vague word: annotation, preview or message; reported; space or budget; user, caller or unknown; time; not valid",
      text: /(?<!")\bsaid\b(?!")|\bsaid(?!us\b)\w|\b(?!(first|last)?(input|output)said\b)[a-z]+said\b|\b(somebody|whoever)\b|\b[a-z]*room\b|\bnobody\b(?! (can sign|signs) in)|\b[a-z]*told\b(?! to try again)|(?<!at the )\bmoments?\b|(?<!there )\b(is|are) none[,.;]/i,
      files: /^src\/(?!modules\/evaluation\/evaluators\/classification\/)/,
    },
  ];

  for (const { what, text, files } of rules) {
    test(`nowhere: ${what}`, async () => {
      const sources = await readSources("src", "tests", "scripts");
      const offenders = sources.filter((file) => files.test(file.path) && text.test(file.text));
      expect(
        offenders.map(({ path }) => path).filter((path) => path !== "tests/architecture/repository.test.ts"),
      ).toEqual([]);
    });
  }

  test("escapes from the types are few: they are for shapes that a library does not describe", async () => {
    const found = (await readSources("src")).flatMap(({ path, text }) =>
      [...text.matchAll(/ as (?:never\b(?! been)|unknown as )/g)].map(() => path),
    );
    expect(found.length, found.join("\n")).toBeLessThanOrEqual(20);
  });
});

interface Package {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}
