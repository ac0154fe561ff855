// Nobody is sent to a document that is not there: what comments cite, where Markdown links lead, and which paths the
// documentation names.
import { describe, expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { ROOT, readSources, type SourceFile } from "./imports.ts";

/** A document, with the anchor of a heading if one is given. */
const DOCUMENT = /[\w./-]*\w\.md\b(?:#[\w-]+)?/g;
/** A path of the repository, perhaps with `*`. */
const PATH = /(?<![\w./-])(?:src|tests|docs|migrations|scripts|docker)\/[\w.*/-]*[\w*]/g;
/** A name for any file, in instructions. */
const PLACEHOLDER = /\/x\.[\w.]+$/;
const LINK = /\]\((?!https?:|mailto:)([^)\s]+)\)/g;

async function markdownFiles(): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  for (const folder of ["", "docs/**/", "src/**/", "tests/**/", "docker/**/"]) {
    for await (const path of new Bun.Glob(`${folder}*.md`).scan({ cwd: ROOT })) {
      files.push({ path, text: readFileSync(join(ROOT, path), "utf8") });
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The comments of a source file. `//` counts at the beginning of a line and after a blank, which no address in a text has. */
function commentsOf(text: string): string {
  const comments = text.matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*$/gm);
  return [...comments].map(([comment]) => comment).join("\n");
}

/** Anchors of the headings of a document, as they are made of their texts. */
function anchorsOf(text: string): Set<string> {
  const headings = text.replace(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ +(.+)$/gm);
  return new Set([...headings].map(([, heading = ""]) => anchorOf(heading)));
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

/** What is wrong with a reference to a path below the root, or null. */
function problemOf(target: string): string | null {
  const [path = "", anchor] = target.split("#");
  if (!existsSync(join(ROOT, path))) return `${path} is not there`;
  if (anchor === undefined || !path.endsWith(".md")) return null;
  return anchorsOf(readFileSync(join(ROOT, path), "utf8")).has(anchor) ? null : `${path} has no heading #${anchor}`;
}

function problemsIn(file: SourceFile, targets: readonly string[]): string[] {
  return targets.flatMap((target) => {
    const problem = problemOf(target);
    return problem === null ? [] : [`${file.path}: ${problem}`];
  });
}

async function isPresent(path: string): Promise<boolean> {
  if (!path.includes("*")) return existsSync(join(ROOT, path));
  for await (const _found of new Bun.Glob(path).scan({ cwd: ROOT, onlyFiles: false })) return true;
  return false;
}

describe("references", () => {
  test("comments cite documents of this repository by their path, with a heading that is there", async () => {
    const sources = await readSources("src", "tests");
    const problems = sources.flatMap((file) => problemsIn(file, commentsOf(file.text).match(DOCUMENT) ?? []));
    expect(problems).toEqual([]);
  });

  test("nothing counts sections: they have names", async () => {
    const sources = await readSources("src", "tests");
    const documents = await markdownFiles();
    const texts = [...sources.map(({ path, text }) => ({ path, text: commentsOf(text) })), ...documents];
    expect(texts.filter(({ text }) => /\.md`? (?:§|section )?\d/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  test("Markdown links lead to files and headings that are there", async () => {
    const problems = (await markdownFiles()).flatMap((file) => {
      const links = [...file.text.matchAll(LINK)].map(([, target = ""]) => target);
      const fromRoot = links.map((target) =>
        target.startsWith("#") ? `${file.path}${target}` : relative(ROOT, resolve(ROOT, dirname(file.path), target)),
      );
      return problemsIn(file, fromRoot);
    });
    expect(problems).toEqual([]);
  });

  test("links lead from the README to every page of docs, and nothing built is called missing", async () => {
    const texts = new Map((await markdownFiles()).map(({ path, text }) => [path, text]));
    const reached = new Set(["README.md"]);
    // A set hands out what is added to it while it is walked.
    for (const path of reached) {
      for (const [, target = ""] of (texts.get(path) ?? "").matchAll(LINK)) {
        const linked = relative(ROOT, resolve(ROOT, dirname(path), target.split("#")[0]!));
        if (texts.has(linked)) reached.add(linked);
      }
    }
    expect([...texts.keys()].filter((path) => path.startsWith("docs/") && !reached.has(path))).toEqual([]);
    const { dependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const missing = [...texts.get("README.md")!.matchAll(/^\| `([\w@/-]+)` \| not yet/gm)].map(([, name]) => name!);
    expect(missing.filter((name) => name in dependencies)).toEqual([]);
  });

  test("documentation and comments name paths that are there", async () => {
    const sources = await readSources("src", "tests", "scripts");
    const comments = sources.map(({ path, text }) => ({ path, text: commentsOf(text) }));
    const problems: string[] = [];
    for (const { path, text } of [...(await markdownFiles()), ...comments]) {
      for (const named of text.replaceAll(LINK, "").match(PATH) ?? []) {
        if (!PLACEHOLDER.test(named) && !(await isPresent(named))) problems.push(`${path}: ${named} is not there`);
      }
    }
    expect(problems).toEqual([]);
  });

  test("a document that is named alone is a neighbour, or stands at the root", async () => {
    const problems = (await markdownFiles()).flatMap(({ path, text }) =>
      [...text.matchAll(/`([\w./-]+\.md)`/g)]
        .map(([, named = ""]) => named)
        .filter((named) => !existsSync(join(ROOT, dirname(path), named)) && !existsSync(join(ROOT, named)))
        .map((named) => `${path}: ${named} is not there`),
    );
    expect(problems).toEqual([]);
  });
});
