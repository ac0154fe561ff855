// Starts the real service as a process of its own, from source or as the compiled binary, and takes it down again. For tests
// that meet it as its users do; what can be tested without a process should be.
import { afterAll, describe, setDefaultTimeout } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createHttpClient } from "./http.ts";
import { freePort } from "./ports.ts";

const ROOT = resolve(import.meta.dir, "../..");
/** Path of the compiled binary; the test command sets it after a build. */
const BINARY_VARIABLE = "SPANLIGHT_TEST_BINARY";
const READY_LIMIT_MS = 30_000;
/** For a machine whose cores are shared. */
const TIMEOUT_MS = 60_000;

export type Program = "source" | "binary";

export interface ServiceOptions {
  /** In the form of `SERVICE_SQL_DATABASE_URL`. */
  readonly databaseUrl: string;
  /** The binary where it is built: it is ready in a third of the time. */
  readonly program?: Program;
  /** Folder of another source than this one. */
  readonly root?: string;
  /** Added to the few variables that every service here gets; nothing else of this process's environment reaches it. */
  readonly env?: Readonly<Record<string, string>>;
  /** After `serve`. */
  readonly args?: readonly string[];
  /** Ports to use again after a restart; free ones otherwise. */
  readonly port?: number;
  readonly grpcPort?: number;
  /** PEM, for a service that asks its clients for one. */
  readonly clientCertificate?: { readonly certificate: string; readonly key: string };
}

export interface RunningService {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  readonly port: number;
  readonly grpcPort: number;
  readonly pid: number;
  /** Everything it has written to standard output and standard error so far. */
  log(): string;
  /** Resolves to the exit code when the process ends, for any reason. */
  readonly exited: Promise<number>;
  /** SIGTERM; resolves to the exit code. */
  stop(): Promise<number>;
  /** `kill -9`. */
  kill(): Promise<void>;
}

export interface FinishedCommand {
  readonly exitCode: number;
  readonly output: string;
}

// Waits until the tests close the pipe by ending, however they end, and takes down what they could not.
const GUARD = `
trap '' INT TERM HUP
cat > /dev/null
kill -KILL "$1" 2> /dev/null
rm -rf "$2"
`;

/** Starts `serve` and waits for `/readyz`; a service that ends before fails with its log. */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const port = options.port ?? (await freePort());
  const grpcPort = options.grpcPort ?? (await freePort());
  const home = await mkdtemp(join(tmpdir(), "spanlight-home-"));
  const child = spawnProgram(
    options.program ?? quickestProgram(options),
    ["serve", ...(options.args ?? [])],
    {
      HOME: home,
      SERVICE_HOST: "127.0.0.1",
      SERVICE_PORT: String(port),
      SERVICE_GRPC_PORT: String(grpcPort),
      SERVICE_WORKING_DIR: home,
      SERVICE_SQL_DATABASE_URL: options.databaseUrl,
      ...options.env,
    },
    options.root,
  );
  const guard = Bun.spawn(["sh", "-c", GUARD, "guard", String(child.pid), home], {
    stdin: "pipe",
    stdout: "ignore",
    stderr: "ignore",
  });
  guard.unref();
  const chunks: string[] = [];
  const collected = Promise.all([collect(child.stdout, chunks), collect(child.stderr, chunks)]);
  const log = () => chunks.join("");
  const ended = child.exited.then(async (exitCode) => {
    guard.kill("SIGKILL");
    await collected;
    await rm(home, { recursive: true, force: true });
    return exitCode;
  });
  const scheme = options.env?.SERVICE_TLS_ENABLED === "true" ? "https" : "http";
  const url = `${scheme}://127.0.0.1:${port}`;
  try {
    await untilReady(url, child, log, options.clientCertificate);
  } catch (error) {
    child.kill("SIGKILL");
    await ended;
    // Another process may have taken a port between the choice and the start.
    const chosen = options.port === undefined && options.grpcPort === undefined;
    if (chosen && /is taken: .*SERVICE_(GRPC_)?PORT/.test(log())) return startService(options);
    throw error;
  }
  return {
    url,
    port,
    grpcPort,
    pid: child.pid,
    log,
    exited: ended,
    stop: () => {
      child.kill("SIGTERM");
      return ended;
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** The service on a database, with requests to it. */
export async function openService(url: string) {
  const service = await startService({ databaseUrl: url });
  return { url, service, client: createHttpClient(service.url), close: () => service.kill() };
}

/** Runs any other command, such as `verify`, to its end. */
export async function runCommand(
  args: readonly string[],
  options: { readonly program?: Program; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<FinishedCommand> {
  const chunks: string[] = [];
  const child = spawnProgram(options.program ?? quickestProgram(options), args, options.env ?? {});
  await Promise.all([collect(child.stdout, chunks), collect(child.stderr, chunks)]);
  return { exitCode: await child.exited, output: chunks.join("") };
}

/** Registers `suite` for the service from source and as the compiled binary. Without a binary its half is a named skip, and a
 *  failure under `CI=true`, where the test command builds it first. */
export function forEachProgram(name: string, suite: (program: Program) => void): void {
  setDefaultTimeout(TIMEOUT_MS);
  describe(`${name} (from source)`, () => suite("source"));
  if (hasBinary()) describe(`${name} (compiled)`, () => suite("binary"));
  else describe.skip(`${name} (compiled; left out: ${BINARY_VARIABLE} names no binary)`, () => suite("binary"));
}

/** Under `CI=true` it must be there. */
export function hasBinary(): boolean {
  return Boolean(process.env[BINARY_VARIABLE] || process.env.CI);
}

/** Stops, after the enclosing suite, the services that it has started through the returned function. */
export function servicesOfSuite(): (options: ServiceOptions) => Promise<RunningService> {
  const started: RunningService[] = [];
  afterAll(async () => {
    for (const service of started) await service.kill();
  });
  return async (options) => {
    const service = await startService(options);
    started.push(service);
    return service;
  };
}

/** What another source or Bun itself is told is for the source. */
function quickestProgram({ root, env }: Pick<ServiceOptions, "root" | "env">): Program {
  const isForSource = root !== undefined || env?.BUN_OPTIONS !== undefined;
  return isForSource || !process.env[BINARY_VARIABLE] ? "source" : "binary";
}

function spawnProgram(
  program: Program,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  root: string = ROOT,
) {
  return Bun.spawn([...commandOf(program, root), ...args], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", TMPDIR: tmpdir(), HOME: tmpdir(), ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

function commandOf(program: Program, root: string): string[] {
  if (program === "source") return [process.execPath, join(root, "src/main.ts")];
  const binary = process.env[BINARY_VARIABLE];
  if (!binary) throw new Error(`${BINARY_VARIABLE} names no binary; \`npm test\` builds one first`);
  return [resolve(ROOT, binary)];
}

async function collect(stream: ReadableStream<Uint8Array>, chunks: string[]): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) chunks.push(decoder.decode(chunk, { stream: true }));
}

async function untilReady(
  url: string,
  child: Bun.Subprocess,
  log: () => string,
  shown: ServiceOptions["clientCertificate"],
): Promise<void> {
  const tls = {
    rejectUnauthorized: false,
    ...(shown === undefined ? {} : { cert: shown.certificate, key: shown.key }),
  };
  const deadline = performance.now() + READY_LIMIT_MS;
  for (;;) {
    const response = await fetch(`${url}/readyz`, { tls }).catch(() => null);
    await response?.text();
    if (response?.ok) return;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`The service ended at start:\n${log()}`);
    if (performance.now() > deadline) throw new Error(`The service was not ready in ${READY_LIMIT_MS} ms:\n${log()}`);
    await Bun.sleep(10);
  }
}
