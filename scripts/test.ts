// The test command: one PostgreSQL for the whole run, a browser, a directory server, a pooler, the compiled binary, then every test. Names of
// files or folders after it choose tests, which run one file after the other; without any, all of them run, several files at a time, and
// the binary is built first. Files that fail beside others run once more alone, so that the output can say which of them passed then; they
// have failed all the same. Ends with the plain line `N passed, N failed`.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { migrateStorage } from "../src/storage/open.ts";
import { installBrowser } from "../tests/support/browser.ts";
import { installPgbouncer } from "../tests/support/pgbouncer.ts";
import {
  createDatabaseIn,
  environmentOf,
  missingPostgres,
  type PostgresCluster,
  startPostgres,
  type TestDatabase,
} from "../tests/support/postgres.ts";
import { installSlapd } from "../tests/support/slapd.ts";
import { locationOf } from "../tests/support/storage.ts";
import { filesToRepeat, outcomeOf, type TestOutcome, type TestRun } from "./test-outcome.ts";

const SUMMARY_VARIABLE = "SPANLIGHT_TEST_SUMMARY";
/** For a machine whose cores are shared. Bun takes it from the command line only. */
const TIMEOUT_MS = 60_000;
const SLOWEST_SHOWN = 10;
/** More would take connections of the one PostgreSQL from each other. */
const MOST_AT_ONCE = 4;
/** Tests that mostly wait: for a database to be back, for connections to be found dead, for clocks. They run one after the other
 *  beside the others, whose places they would only keep. */
const WAITING = ["lost-connections", "postgres-away", "silent-host", "silent-sessions"].map(faultTest);
/** Tests that hold the memory of several processes against a limit, or a promise that is made in seconds: nothing runs beside them. */
const ALONE = ["large-exports", "two-sign-in-servers"].map(faultTest);
const IN_BROWSER = "tests/browser";
const selection = process.argv.slice(2);
const inContinuousIntegration = Boolean(process.env.CI);

function faultTest(name: string): string {
  return `tests/faults/${name}.test.ts`;
}

async function build(): Promise<void> {
  const outcome = Bun.spawn([process.execPath, "run", "build"], { stdout: "inherit", stderr: "inherit" });
  if ((await outcome.exited) !== 0) throw new Error("The binary could not be built");
}

/** What is run, as arguments of `bun test`: the members of a list beside each other, one list after the other. */
function stagesOfRun(): readonly (readonly (readonly string[])[])[] {
  if (selection.length > 0) return [[selection]];
  const unknown = [...WAITING, ...ALONE].filter((path) => !existsSync(path));
  if (unknown.length > 0) throw new Error(`No such tests: ${unknown.join(", ")}`);
  const cores = availableParallelism();
  if (cores === 1) return [[[]]];
  const ignoring = (paths: readonly string[]) => paths.map((path) => `--path-ignore-patterns=${path}`);
  // Tests in a browser keep the cores busy. Of the others, half of the time goes by until a service or a clock answers.
  const inBrowser = [`--parallel=${Math.min(cores, MOST_AT_ONCE)}`, "--parallel-delay=0", IN_BROWSER];
  const others = [`--parallel=${Math.min(2 * cores, MOST_AT_ONCE)}`, "--parallel-delay=0"];
  return [[inBrowser, WAITING], [[...others, ...ignoring([`${IN_BROWSER}/**`, ...WAITING, ...ALONE])]], [ALONE]];
}

/** A guess, in the form of what `bun test` measures, for the files of one stage: the longest begin first, so that none is left over at the
 *  end. */
async function guessTimings(timings: string, { inBrowser }: { readonly inBrowser: boolean }): Promise<void> {
  const files: Record<string, number> = {};
  for await (const path of new Bun.Glob("tests/**/*.test.ts").scan()) {
    if (path.startsWith(`${IN_BROWSER}/`) !== inBrowser || [...WAITING, ...ALONE].includes(path)) continue;
    files[path] = (await Bun.file(path).text()).split("\n").length * 5;
  }
  await Bun.write(timings, JSON.stringify({ version: 1, files }));
}

/** Runs `bun test`, showing its output as it comes, or in one piece at its end; resolves to that output and its exit code. Writes
 *  milliseconds by file. */
async function runTests(
  what: readonly string[],
  env: Record<string, string>,
  { timings, shows = "as it comes" }: { readonly timings: string; readonly shows?: "as it comes" | "at its end" },
): Promise<TestRun> {
  // The end of a CI log is what people get to read: failures with their reasons, not seven thousand names.
  const flags = [`--timeout=${TIMEOUT_MS}`, `--timings=${timings}`, "--update-timings"];
  if (inContinuousIntegration) flags.push("--only-failures");
  const child = Bun.spawn([process.execPath, "test", ...flags, ...what], {
    env: { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}), ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const chunks: string[] = [];
  const show = async (from: ReadableStream<Uint8Array>, to: NodeJS.WriteStream) => {
    const decoder = new TextDecoder();
    for await (const chunk of from) {
      if (shows === "as it comes") to.write(chunk);
      chunks.push(decoder.decode(chunk, { stream: true }));
    }
  };
  await Promise.all([show(child.stdout, process.stdout), show(child.stderr, process.stderr)]);
  if (shows === "at its end") process.stdout.write(chunks.join(""));
  return { output: Bun.stripANSI(chunks.join("")), exitCode: await child.exited };
}

/** Lines of the files that took longest. */
async function slowest(folder: string): Promise<readonly string[]> {
  const files: Record<string, number> = {};
  for await (const path of new Bun.Glob("*.json").scan({ cwd: folder, absolute: true })) {
    Object.assign(files, ((await Bun.file(path).json()) as { readonly files: Readonly<Record<string, number>> }).files);
  }
  return Object.entries(files)
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST_SHOWN)
    .map(([path, milliseconds]) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${path}`);
}

/** A database with the newest schema. */
async function preparedDatabase(cluster: PostgresCluster): Promise<TestDatabase> {
  const database = await createDatabaseIn(cluster.url);
  await migrateStorage(locationOf(database.url));
  return database;
}

async function main(): Promise<number> {
  const env: Record<string, string> = {};
  if (selection.length === 0 && !process.env.SPANLIGHT_TEST_BINARY) {
    await build();
    env.SPANLIGHT_TEST_BINARY = "dist/spanlight";
  }
  const missing = missingPostgres();
  if (missing !== null && inContinuousIntegration) throw new Error(`No PostgreSQL for the tests: ${missing}`);
  const noBrowser = await installBrowser();
  if (noBrowser !== null && inContinuousIntegration) throw new Error(`No browser for the tests: ${noBrowser}`);
  const noDirectory = await installSlapd();
  if (noDirectory !== null && inContinuousIntegration) throw new Error(`No directory for the tests: ${noDirectory}`);
  const noPooler = await installPgbouncer();
  if (noPooler !== null && inContinuousIntegration) throw new Error(`No pooler for the tests: ${noPooler}`);
  const cluster = missing === null && !process.env.SPANLIGHT_TEST_POSTGRES_URL ? await startPostgres() : null;
  if (cluster !== null) Object.assign(env, environmentOf(cluster, await preparedDatabase(cluster)));
  const folder = await mkdtemp(join(tmpdir(), "spanlight-tests-"));
  const timingsOf = (stage: number, place: number) => join(folder, `timings-${stage}-${place}.json`);
  if (selection.length === 0 && availableParallelism() > 1) {
    await guessTimings(timingsOf(0, 0), { inBrowser: true });
    await guessTimings(timingsOf(1, 0), { inBrowser: false });
  }
  const outcomes: TestOutcome[] = [];
  let outputs = "";
  try {
    for (const [number, stage] of stagesOfRun().entries()) {
      const runs = await Promise.all(
        stage.map(async (part, place) => ({
          part,
          run: await runTests(part, env, {
            timings: timingsOf(number, place),
            shows: place === 0 ? "as it comes" : "at its end",
          }),
        })),
      );
      for (const { part, run } of runs) {
        outputs += run.output;
        const files = part === ALONE ? [] : filesToRepeat(run);
        const repeated =
          files.length === 0 || selection.length > 0
            ? null
            : { files, ...(await runTests(files, env, { timings: timingsOf(number, 0) })) };
        outcomes.push(outcomeOf(run, repeated));
      }
    }
  } finally {
    await cluster?.dispose();
  }

  const sum = (of: (outcome: TestOutcome) => number) => outcomes.reduce((total, outcome) => total + of(outcome), 0);
  const [passed, failed, skipped] = [
    sum((each) => each.passed),
    sum((each) => each.failed),
    sum((each) => each.skipped),
  ];
  const onlyAlone = outcomes.flatMap(({ passedOnlyAlone }) => passedOnlyAlone);
  const names = (outputs.match(/^\(skip\).*$/gm) ?? []).filter((line) => !line.includes("(unnamed)"));
  if (names.length > 0) console.log(`\nLeft out:\n${names.join("\n")}`);
  if (onlyAlone.length > 0) console.log(`\nFailed, and passed only when run alone:\n${onlyAlone.join("\n")}`);
  if (selection.length === 0) console.log(`\nSlowest files:\n${(await slowest(folder)).join("\n")}`);
  await rm(folder, { recursive: true });
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const summaryFile = process.env[SUMMARY_VARIABLE];
  if (summaryFile) await Bun.write(summaryFile, `${line}\n`);
  else console.log(`\n${line}`);
  return Math.max(...outcomes.map(({ exitCode }) => exitCode));
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
