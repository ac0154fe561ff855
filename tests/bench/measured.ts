// What most measurements begin and end with: the service on a copy of a database with many spans, and the head of the report.
import { createHttpClient } from "../support/http.ts";
import type { RunningService } from "../support/server.ts";
import { endProgress, machine } from "./figures.ts";
import { programName, startMeasured, stopMeasured } from "./service.ts";
import { ensureStored, PROJECT, type StoredOptions } from "./stored.ts";

export interface MeasuredOptions extends StoredOptions {
  /** Path of the compiled service; empty for the source. */
  readonly binary: string;
  /** Changes the copy before the service starts. */
  readonly prepare?: (databaseUrl: string) => Promise<void>;
}

export interface Measured {
  readonly service: RunningService;
  readonly databaseUrl: string;
  /** Of the project that has every stored span. */
  readonly projectId: string;
  /** The data that GraphQL answers; throws for errors. */
  ask(query: string, variables?: object): Promise<ReturnType<typeof JSON.parse>>;
  /** Stops the service and removes the copy. */
  finish(): Promise<void>;
}

export async function startOnStored(options: MeasuredOptions): Promise<Measured> {
  const stored = await ensureStored(options);
  const copy = await stored.copy();
  await options.prepare?.(copy.url);
  const service = await startMeasured(copy.url, options.binary);
  const client = createHttpClient(service.url);
  const project = await client.get(`/v1/projects/${PROJECT}`);
  return {
    service,
    databaseUrl: copy.url,
    projectId: project.json<{ readonly data: { readonly id: string } }>().data.id,
    async ask(query, variables = {}) {
      const { text } = await client.post("/graphql", { json: { query, variables } });
      const { data, errors } = JSON.parse(text);
      if (errors !== undefined) throw new Error(text.slice(0, 2000));
      return data;
    },
    async finish() {
      await stopMeasured(service);
      await copy.remove();
      await stored.dispose();
      endProgress("done");
    },
  };
}

/** The lines above the tables: the machine, the program, and what else the figures depend on. */
export async function printHead(
  options: { readonly binary: string; readonly driver: string },
  ...conditions: string[]
) {
  console.log(`\n${await machine()}`);
  console.log(`${[`service ${programName(options.binary)}`, options.driver, ...conditions].join(", ")}\n`);
}
