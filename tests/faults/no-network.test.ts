// A service without any network but loopback, with keys of every provider: it starts, ingests, answers the pages and runs its jobs without
// a try to reach anything. It takes root on Linux to make such a network; elsewhere its tests are a named skip, and a failure under
// `CI=true`.
import { describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forEachDriver } from "../support/drivers.ts";
import type { NoNetworkReport } from "../support/no-network-program.ts";

const PROGRAM = join(import.meta.dir, "../support/no-network-program.ts");
/** Brings loopback up in a network of its own, and runs the rest there. */
const ALONE = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "alone"];

const canBeAlone = Bun.spawnSync([...ALONE, "true"], { stdout: "ignore", stderr: "ignore" }).success;

function suite(): void {
  forEachDriver("a service without a network", (driver) => {
    test("reaches for nothing until it is asked to call a provider", async () => {
      const databaseUrl = await driver.createDatabase();
      const folder = await mkdtemp(join(tmpdir(), "spanlight-alone-"));
      const socketFile = join(folder, "database");
      // Networks end at the namespace, files do not.
      const relay = createServer((socket) => {
        const { hostname, port } = new URL(databaseUrl);
        const onward = connect(Number(port), hostname);
        socket.on("error", () => onward.destroy()).pipe(onward);
        onward.on("error", () => socket.destroy()).pipe(socket);
      });
      if (driver.name === "postgres") await new Promise<void>((resolve) => relay.listen(socketFile, resolve));
      try {
        const child = Bun.spawn(
          [...ALONE, process.execPath, PROGRAM, databaseUrl, ...(driver.name === "postgres" ? [socketFile] : [])],
          { stdout: "pipe", stderr: "pipe" },
        );
        const [output, complaints] = await Promise.all([
          new Response(child.stdout).text(),
          new Response(child.stderr).text(),
        ]);
        expect([await child.exited, complaints]).toEqual([0, ""]);
        const report = JSON.parse(output) as NoNetworkReport;
        expect(report.errors).toEqual([]);
        expect(report.queries).toBeGreaterThan(20);
        expect({ leaving: report.leaving, refused: report.refused }).toEqual({ leaving: 0, refused: 0 });
        expect(report.leavingWhenAsked).toBeGreaterThan(0);
        expect(report.log).not.toMatch(/ (ERROR|WARNING) /);
      } finally {
        relay.close();
        await rm(folder, { recursive: true });
      }
    });
  });
}

if (canBeAlone || process.env.CI) suite();
else describe.skip("a service without a network (left out: a network of its own takes root)", suite);
