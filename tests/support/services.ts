// One running service for each way of starting it and each database: the frame of tests that meet the service from outside.
import { afterAll, beforeAll } from "bun:test";
import { type DriverName, forEachDriver } from "./drivers.ts";
import { forEachProgram, type Program, type RunningService, startService } from "./server.ts";

export interface ServiceUnderTest {
  readonly program: Program;
  readonly driver: DriverName;
  /** The service, once the tests of the suite run. */
  readonly running: RunningService;
}

/** Registers `suite` for the service from source and compiled, on SQLite and PostgreSQL; started before its tests, stopped
 *  after them. `variables`: of its environment. */
export function forEachService(
  name: string,
  suite: (service: ServiceUnderTest) => void,
  variables: Readonly<Record<string, string>> = {},
): void {
  forEachProgram(name, (program) => {
    forEachDriver(name, (driver) => {
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
