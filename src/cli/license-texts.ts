// Collects the licences of every package that the program is made of, when the code is built or started from source: a macro. The
// binary carries their text.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fail } from "../kernel/failure.ts";
import { standardTerms } from "./license-terms.ts";

const ROOT = join(import.meta.dir, "../..");
const LICENSE_FILE = /^(licen[cs]e|copying|notice)\b|\.licen[cs]e\.txt$/i;
/** Not a dependency of the program, which has taken over its data (src/costs/built-in-prices.json). */
const TAKEN_OVER = ["@pydantic/genai-prices"];

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly repository?: string | { readonly url: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** One section a text, with the packages that share it, by name. */
export function licenseTexts(): string {
  const folders = new Set<string>();
  const manifest = readManifest(ROOT);
  for (const name of [...Object.keys(manifest.dependencies ?? {}), ...TAKEN_OVER]) visit(folders, ROOT, name);
  const packagesByText = new Map<string, string[]>();
  for (const folder of folders) {
    const found = readManifest(folder);
    const text = textOf(folder, found);
    const packages = packagesByText.get(text) ?? [];
    packages.push(`${found.name} ${found.version} (${found.license ?? "see below"})`);
    packagesByText.set(text, packages);
  }
  return [...packagesByText]
    .map(([text, packages]) => ({ title: [...new Set(packages)].sort().join("\n"), text }))
    .sort((one, other) => (one.title < other.title ? -1 : 1))
    .map(({ title, text }) => `${"=".repeat(80)}\n${title}\n\n${text}\n`)
    .join("\n");
}

/** Adds the package that `from` finds under this name, and what it needs. Optional ones that are not installed are left out. */
function visit(folders: Set<string>, from: string, name: string): void {
  const folder = folderOf(from, name);
  if (folder === null || folders.has(folder)) return;
  folders.add(folder);
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = readManifest(folder);
  const peers = Object.keys(peerDependencies ?? {}).filter((peer) => peerDependenciesMeta?.[peer]?.optional !== true);
  for (const needed of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers])
    visit(folders, folder, needed);
}

/** As packages find each other: in their own folder of packages, else in the one above. */
function folderOf(from: string, name: string): string | null {
  for (let at = from; at.startsWith(ROOT); at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  return null;
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

function textOf(folder: string, { name, license, author, repository }: Manifest): string {
  const files = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file))
    .sort();
  if (files.length > 0) return files.map((file) => tidied(readFileSync(join(folder, file), "utf8"))).join("\n\n");
  const terms = standardTerms[license ?? ""];
  if (terms === undefined)
    throw fail("licenses.no_text", "internal", `The package ${name} comes without the text of its licence, ${license}`);
  const writer = typeof author === "string" ? author : author?.name;
  const address = typeof repository === "string" ? repository : repository?.url;
  return `Copyright (c) ${[writer ?? `the authors of ${name}`, address].filter(Boolean).join(", ")}\n\n${terms}`;
}

/** Without what differs between texts that say the same. */
function tidied(text: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replace(/[ \t]+$/gm, "")
    .trim();
}
