// A real browser for tests: Debian's Chromium, driven by playwright-core. One process serves a whole run.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Path of another Chromium. */
const PATH_VARIABLE = "SPANLIGHT_TEST_CHROMIUM";
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function findBrowser(): string | null {
  const named = process.env[PATH_VARIABLE];
  if (named) return named;
  return PLACES.find((path) => existsSync(path)) ?? null;
}

/** Why there is no browser here, or null. A reason is a failure under `CI=true` and a named skip elsewhere. */
export function missingBrowser(): string | null {
  return findBrowser() === null ? `no Chromium at ${PLACES.join(" or ")}, and ${PATH_VARIABLE} names none` : null;
}

/** Installs Chromium where that is a matter of one command: as root on Debian and its like. Resolves to the reason why not. */
export async function installBrowser(): Promise<string | null> {
  if (findBrowser() !== null) return null;
  if (process.getuid?.() !== 0 || Bun.which("apt-get") === null) return missingBrowser();
  const run = async (...command: string[]) => {
    const child = Bun.spawn(command, {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
    });
    return (await child.exited) === 0;
  };
  const options = ["-qq", "-y", "--no-install-recommends"];
  const installed =
    (await run("apt-get", "-qq", "update")) && (await run("apt-get", "install", ...options, "chromium"));
  return installed ? missingBrowser() : "Chromium could not be installed by apt-get";
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let starting: Promise<Browser> | null = null;

/** The one browser of this process; it goes down with it. A test that takes too long takes the browser along: the next one gets
 *  another. */
export async function sharedBrowser(): Promise<Browser> {
  starting ??= launch();
  const browser = await starting;
  if (browser.isConnected()) return browser;
  starting = launch();
  return starting;
}

async function launch(): Promise<Browser> {
  const executablePath = findBrowser();
  if (executablePath === null) throw new Error(`No browser: ${missingBrowser()}`);
  return chromium.launch({ executablePath, args: FLAGS });
}
