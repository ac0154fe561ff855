// The licences of what is distributed: every package that the lock file brings into the program has its text in the program.
import { expect, test } from "bun:test";
import packageFile from "../../package.json" with { type: "json" };
import { forEachProgram, runCommand } from "../support/server.ts";

interface LockedNeeds {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type Locked = readonly [nameAndVersion: string, registry: string, needs: LockedNeeds, hash: string];

const { packages } = Bun.JSON5.parse(await Bun.file("bun.lock").text()) as {
  packages: Readonly<Record<string, Locked>>;
};

/** The places in the lock file that hold what the place needs; optional ones of other machines are not installed. */
function neededBy(place: string): string[] {
  const { dependencies = {} } = packages[place]![2];
  return Object.keys(dependencies).map((name) => {
    for (let at = place; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/")))) {
      const found = at === "" ? name : `${at}/${name}`;
      if (found in packages) return found;
      if (at === "") throw new Error(`bun.lock has no ${name} for ${place}`);
    }
  });
}

/** `name version` of everything that a production install needs. */
function productionPackages(): Set<string> {
  const places = new Set(Object.keys(packageFile.dependencies));
  for (const place of places) for (const needed of neededBy(place)) places.add(needed);
  return new Set([...places].map((place) => packages[place]![0].replace(/@(?=[^@]+$)/, " ")));
}

/** Licences whose terms the program fulfils by printing them. */
const KNOWN = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "Python-2.0",
  "Unlicense",
];

forEachProgram("spanlight licenses", (program) => {
  test("prints the licence of every package that a production install needs", async () => {
    const { exitCode, output } = await runCommand(["licenses"], { program });
    expect(exitCode).toBe(0);
    const sections = output.split(`${"=".repeat(80)}\n`).slice(1);
    const licences = new Map<string, string>();
    for (const section of sections) {
      const [title, text] = [section.slice(0, section.indexOf("\n\n")), section.slice(section.indexOf("\n\n"))];
      expect(text).toMatch(/copyright|public domain|permission/i);
      for (const line of title.split("\n")) {
        const [, nameAndVersion, licence] = /^(\S+ \S+) \((.+)\)$/.exec(line)!;
        licences.set(nameAndVersion!, licence!);
      }
    }
    const expected = productionPackages();
    expect(expected.size).toBeGreaterThan(200);
    expect([...expected].filter((each) => !licences.has(each))).toEqual([]);
    // One of another kind, a copyleft say, is a decision: it is added here by a person.
    expect([...licences].filter(([, licence]) => !KNOWN.includes(licence))).toEqual([]);
  });
});

test("no package that reports installations is installed", async () => {
  const names = Object.values(packages).map(([nameAndVersion]) => nameAndVersion);
  expect(names.filter((name) => /scarf|opencollective/.test(name))).toEqual([]);
});
