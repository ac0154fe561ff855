// The test command: one PostgreSQL for the whole run, a browser, the compiled binary, then every test. Names of files or folders after it
// choose tests; without any, all of them run, and the binary is built first. Ends with the plain line `N passed, N failed`.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { installBrowser } from "../tests/support/browser.ts";
import { missingPostgres, startPostgres } from "../tests/support/postgres.ts";

const SUMMARY_VARIABLE = "SPANLIGHT_TEST_SUMMARY";
/** For a machine whose cores are shared. Bun takes it from the command line only. */
const TIMEOUT_MS = 60_000;
const SLOWEST_SHOWN = 10;
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

/** Runs `bun test`, showing its output as it comes; resolves to that output and its exit code. Writes milliseconds by file. */
async function runTests(
  env: Record<string, string>,
  timings: string,
): Promise<{ readonly output: string; readonly exitCode: number }> {
  // The end of a CI log is what people get to read: failures with their reasons, not seven thousand names.
  const flags = [`--timeout=${TIMEOUT_MS}`, `--timings=${timings}`, "--update-timings"];
  if (inContinuousIntegration) flags.push("--only-failures");
  const child = Bun.spawn([process.execPath, "test", ...flags, ...selection], {
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
  const cluster = missing === null && !process.env.SPANLIGHT_TEST_POSTGRES_URL ? await startPostgres() : null;
  if (cluster !== null) env.SPANLIGHT_TEST_POSTGRES_URL = cluster.url;
  const timings = join(await mkdtemp(join(tmpdir(), "spanlight-tests-")), "timings.json");
  const { output, exitCode } = await runTests(env, timings).finally(() => cluster?.dispose());

  const { passed, failed, skipped } = countsOf(output, exitCode);
  const names = (output.match(/^\(skip\).*$/gm) ?? []).filter((line) => !line.includes("(unnamed)"));
  if (names.length > 0) console.log(`\nLeft out:\n${names.join("\n")}`);
  if (selection.length === 0) console.log(`\nSlowest files:\n${(await slowest(timings)).join("\n")}`);
  await rm(dirname(timings), { recursive: true });
  const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
  const summaryFile = process.env[SUMMARY_VARIABLE];
  if (summaryFile) await Bun.write(summaryFile, `${line}\n`);
  else console.log(`\n${line}`);
  return exitCode;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
