// No function is so long that nobody reads it whole: what answers several questions is cut, a named thing for each.
import { expect, test } from "bun:test";
import ts from "typescript";
import { readSources, type SourceFile } from "./imports.ts";

const MAX_BODY_LINES = 120;
/** Every long file is parsed. */
const TIMEOUT_MS = 60_000;

/** The functions whose bodies are longer than `most` lines, as `path:line name (lines)`. */
function longFunctions({ path, text }: SourceFile, most: number): string[] {
  if (text.split("\n").length <= most) return [];
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const [first, last] = [lineAt(node.body.getStart(file)), lineAt(node.body.getEnd())];
      if (last - first > most) found.push(`${path}:${first + 1} ${nameOf(node)} (${last - first})`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

/** Its own name, or that of the variable, member or class that holds it. */
function nameOf(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (node.parent as { readonly name?: ts.Node }).name;
  return named?.getText() ?? "without a name";
}

test(
  `no function body of the source is longer than ${MAX_BODY_LINES} lines`,
  async () => {
    expect((await readSources("src")).flatMap((file) => longFunctions(file, MAX_BODY_LINES))).toEqual([]);
  },
  TIMEOUT_MS,
);

test("every kind of function is measured", () => {
  const text = [
    "function a() {\n1;\n2;\n}",
    "const b = () => ({\n1: 1,\n2: 2,\n});",
    "class C {\n  constructor() {\n1;\n2;\n}\n  get d() {\n1;\n2;\n}\n  e() {\n1;\n}\n}",
    "export const f = { g: async function* () {\n1;\n2;\n} };",
    "run(() => {\n1;\n2;\n});",
  ].join("\n");
  expect(longFunctions({ path: "x.ts", text }, 2)).toEqual([
    "x.ts:1 a (3)",
    "x.ts:5 b (3)",
    "x.ts:10 C (3)",
    "x.ts:14 d (3)",
    "x.ts:22 g (3)",
    "x.ts:26 without a name (3)",
  ]);
});
