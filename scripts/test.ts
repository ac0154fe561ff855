// The test command: one PostgreSQL for the whole run, a browser, a directory server, a pooler, the compiled binary, then every test. Names of
// files or folders after it choose tests, which run one file after the other; without any, all of them run, several files at a time, and
// the binary is built first. Files that fail beside others run once more alone, and the output says which of them passed then. Ends
// with the plain line `N passed, N failed`.
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installBrowser } from "../tests/support/browser.ts";
import { installPgbouncer } from "../tests/support/pgbouncer.ts";
import { missingPostgres, startPostgres } from "../tests/support/postgres.ts";
import { installSlapd } from "../tests/support/slapd.ts";

const SUMMARY_VARIABLE = "SPANLIGHT_TEST_SUMMARY";
/** For a machine whose cores are shared. Bun takes it from the command line only. */
const TIMEOUT_MS = 60_000;
const SLOWEST_SHOWN = 10;
/** Where more files fail than this, it is not the company they were in. */
const MOST_REPEATED = 5;
/** More would take connections of the one PostgreSQL from each other. */
const MOST_AT_ONCE = 4;
/** Tests of faults that fill a disk, or that measure memory or how soon something happens: nothing runs beside them. */
const ALONE = [
  "backpressure",
  "full-disk",
  "hostile-bodies",
  "hostile-spans",
  "large-bodies",
  "large-exports",
  "lost-connections",
  "postgres-away",
  "readiness",
  "stop",
  "two-sign-in-servers",
].map((name) => `tests/faults/${name}.test.ts`);
const selection = process.argv.slice(2);
const inContinuousIntegration = Boolean(process.env.CI);

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

async function build(): Promise<void> {
  const outcome = Bun.spawn([process.execPath, "run", "build"], { stdout: "inherit", stderr: "inherit" });
  if ((await outcome.exited) !== 0) throw new Error("The binary could not be built");
}

/** What is run, one after the other: arguments of `bun test`. */
function partsOfRun(): readonly (readonly string[])[] {
  if (selection.length > 0) return [selection];
  const unknown = ALONE.filter((path) => !existsSync(path));
  if (unknown.length > 0) throw new Error(`No such tests: ${unknown.join(", ")}`);
  const atOnce = Math.min(availableParallelism(), MOST_AT_ONCE);
  const beside = atOnce > 1 ? [`--parallel=${atOnce}`, "--parallel-delay=0"] : [];
  return [[...beside, ...ALONE.map((path) => `--path-ignore-patterns=${path}`)], ALONE];
}

/** A guess, in the form of what `bun test` measures: the longest files begin first, so that none is left over at the end. A line
 *  of a test in a browser takes some twenty times as long as another. */
async function guessTimings(timings: string): Promise<void> {
  const files: Record<string, number> = {};
  for await (const path of new Bun.Glob("tests/**/*.test.ts").scan()) {
    const { length } = (await Bun.file(path).text()).split("\n");
    files[path] = length * (path.startsWith("tests/browser/") ? 100 : 5);
  }
  await Bun.write(timings, JSON.stringify({ version: 1, files }));
}

/** Runs `bun test`, showing its output as it comes; resolves to that output and its exit code. Writes milliseconds by file. */
async function runTests(
  what: readonly string[],
  env: Record<string, string>,
  timings: string,
): Promise<{ readonly output: string; readonly exitCode: number }> {
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
      to.write(chunk);
      chunks.push(decoder.decode(chunk, { stream: true }));
    }
  };
  await Promise.all([show(child.stdout, process.stdout), show(child.stderr, process.stderr)]);
  return { output: Bun.stripANSI(chunks.join("")), exitCode: await child.exited };
}

/** The figures at the end of `bun test`; a run that died before them counts as one failure. */
function countsOf(output: string, exitCode: number): Counts {
  const figure = (word: string) => Number(output.match(new RegExp(`^ *(\\d+) ${word}$`, "m"))?.[1] ?? 0);
  const failed = figure("fail");
  return {
    passed: figure("pass"),
    failed: exitCode !== 0 && failed === 0 ? 1 : failed,
    skipped: figure("skip"),
  };
}

/** The files with a failed test; null where a failure cannot be told from its file, or there are too many. */
function failedFiles({ output, exitCode }: { readonly output: string; readonly exitCode: number }): string[] | null {
  if (exitCode === 0) return [];
  const files = new Set<string>();
  let file: string | null = null;
  for (const line of output.split("\n")) {
    file = /^(tests\/\S+\.test\.ts):$/.exec(line)?.[1] ?? file;
    if (!line.startsWith("(fail)")) continue;
    if (file === null) return null;
    files.add(file);
  }
  return files.size === 0 || files.size > MOST_REPEATED ? null : [...files];
}

/** Lines of the files that took longest. */
async function slowest(timings: string): Promise<readonly string[]> {
  const file = Bun.file(timings);
  if (!(await file.exists())) return [];
  const { files } = (await file.json()) as { readonly files: Readonly<Record<string, number>> };
  return Object.entries(files)
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST_SHOWN)
    .map(([path, milliseconds]) => `${(milliseconds / 1000).toFixed(1).padStart(7)} s  ${path}`);
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
  if (cluster !== null) env.SPANLIGHT_TEST_POSTGRES_URL = cluster.url;
  const timings = join(await mkdtemp(join(tmpdir(), "spanlight-tests-")), "timings.json");
  if (selection.length === 0) await guessTimings(timings);
  const counts = { passed: 0, failed: 0, skipped: 0 };
  let outputs = "";
  let onlyAlone: readonly string[] = [];
  let worst = 0;
  try {
    for (const part of partsOfRun()) {
      const { output, exitCode } = await runTests(part, env, timings);
      const { passed, failed, skipped } = countsOf(output, exitCode);
      outputs += output;
      counts.skipped += skipped;
      const files = part.some((argument) => argument.startsWith("--parallel"))
        ? failedFiles({ output, exitCode })
        : null;
      const again = files === null || files.length === 0 ? null : await runTests(files, env, timings);
      const failedAgain = again === null ? failed : Math.min(failed, countsOf(again.output, again.exitCode).failed);
      counts.passed += passed + failed - failedAgain;
      counts.failed += failedAgain;
      if (again?.exitCode === 0) onlyAlone = files!;
      worst = Math.max(worst, again === null ? exitCode : again.exitCode);
    }
  } finally {
    await cluster?.dispose();
  }

  const { passed, failed, skipped } = counts;
  const names = (outputs.match(/^\(skip\).*$/gm) ?? []).filter((line) => !line.includes("(unnamed)"));
  if (names.length > 0) console.log(`\nLeft out:\n${names.join("\n")}`);
  if (onlyAlone.length > 0) console.log(`\nPassed only when run alone:\n${onlyAlone.join("\n")}`);
  if (selection.length === 0) console.log(`\nSlowest files:\n${(await slowest(timings)).join("\n")}`);
  await rm(dirname(timings), { recursive: true });
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const summaryFile = process.env[SUMMARY_VARIABLE];
  if (summaryFile) await Bun.write(summaryFile, `${line}\n`);
  else console.log(`\n${line}`);
  return worst;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
