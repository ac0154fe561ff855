// A real browser for tests: Debian's Chromium without a window, which takes a third less time, driven by playwright-core. One process serves a whole run.
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { installPackage } from "./packages.ts";

/** Path of another Chromium. */
const PATH_VARIABLE = "SPANLIGHT_TEST_CHROMIUM";
const WITHOUT_WINDOW = "/usr/bin/chromium-headless-shell";
const PLACES = [WITHOUT_WINDOW, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export function findBrowser(): string | null {
  const named = process.env[PATH_VARIABLE];
  if (named) return named;
  return PLACES.find((path) => existsSync(path)) ?? null;
}

/** Why there is no browser here, or null. A reason is a failure under `CI=true` and a named skip elsewhere. */
export function missingBrowser(): string | null {
  return findBrowser() === null ? `no Chromium at ${PLACES.join(" or ")}, and ${PATH_VARIABLE} names none` : null;
}

/** Installs Chromium where that is a matter of one command. Resolves to the reason why not. */
export async function installBrowser(): Promise<string | null> {
  if (process.env[PATH_VARIABLE]) return missingBrowser();
  const withoutWindow = () => (existsSync(WITHOUT_WINDOW) ? null : `no ${WITHOUT_WINDOW}`);
  // Distributions before Debian 12 have the browser with windows only.
  if ((await installPackage("chromium-headless-shell", "Chromium", withoutWindow)) === null) return null;
  return installPackage("chromium", "Chromium", missingBrowser);
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--in-process-gpu",
  "--disable-dev-shm-usage",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // The pages of a context share a process, which keeps the scripts that it has compiled.
  "--process-per-site",
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
