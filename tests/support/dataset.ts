// The data set of the REST and filter vectors, sent as they demand it: the spans one by one, in their order.
import dataset from "../vectors/dataset.json" with { type: "json" };
import { send, type TestApi } from "./api.ts";
import type { HttpClient } from "./http.ts";
import { encodeOtlp, type OtlpSpan, otlpExport } from "./otlp-encode.ts";

/** Sends the body of one export; fails unless it is taken. */
export type ExportSender = (body: Uint8Array<ArrayBuffer>) => Promise<void>;

export const DATASET_PROJECT = dataset.project;

export async function sendDataset(send: ExportSender): Promise<void> {
  for (const span of dataset.spans as unknown as readonly OtlpSpan[]) {
    await sendSpans(send, dataset.project, [span]);
  }
}

/** One export request to a project. */
export async function sendSpans(send: ExportSender, project: string, spans: readonly OtlpSpan[]): Promise<void> {
  const resource = [{ key: "openinference.project.name", value: { stringValue: project } }];
  await send(encodeOtlp(otlpExport(spans, resource)));
}

/** Exports over OTLP to a service. */
export function exportTo(client: HttpClient): ExportSender {
  return async (body) => {
    const answer = await client.post("/v1/traces", { body, headers: { "content-type": "application/x-protobuf" } });
    if (answer.status !== 200) throw new Error(`The export was answered with ${answer.status}: ${answer.text}`);
  };
}

/** The same without a socket. */
export function exportInto({ server }: Pick<TestApi, "server">): ExportSender {
  return async (body) => {
    const answer = await send(server, "POST /v1/traces", {
      body,
      headers: { "content-type": "application/x-protobuf" },
    });
    if (answer.status !== 200) throw new Error(`The export was answered with ${answer.status}: ${await answer.text()}`);
  };
}
