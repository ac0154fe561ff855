// One running service for each way of starting it and each database: the frame of tests that meet the service from outside.
import { afterAll, beforeAll } from "bun:test";
import { type DriverName, forEachDriver, forOneDriver } from "./drivers.ts";
import { forEachProgram, hasBinary, type Program, type RunningService, startService } from "./server.ts";

export interface ServiceUnderTest {
  readonly program: Program;
  readonly driver: DriverName;
  /** The service, once the tests of the suite run. */
  readonly running: RunningService;
}

/** Registers `suite` for the compiled service on SQLite and PostgreSQL, and for the service from source on SQLite: what differs between the
 *  programs is how they are bundled, not what they ask a database. Without a binary the source is tried on both. Started before its tests,
 *  stopped after them. `variables`: of its environment. */
export function forEachService(
  name: string,
  suite: (service: ServiceUnderTest) => void,
  variables: Readonly<Record<string, string>> = {},
): void {
  forEachProgram(name, (program) => {
    const forDrivers = program === "source" && hasBinary() ? forOneDriver : forEachDriver;
    forDrivers(name, (driver) => {
      let running: RunningService | null = null;
      beforeAll(async () => {
        running = await startService({ program, databaseUrl: await driver.createDatabase(), env: variables });
      });
      afterAll(async () => {
        await running?.stop();
      });
      suite({
        program,
        driver: driver.name,
        get running() {
          if (running === null) throw new Error("The service runs only while the tests of its suite do");
          return running;
        },
      });
    });
  });
}
