// Datasets over REST for tests: requests with their answers, and uploads.
import { send, type TestApi } from "./api.ts";

export interface Answered {
  readonly status: number;
  readonly text: string;
  readonly data: ReturnType<typeof JSON.parse>;
  readonly next_cursor?: string | null;
}

export interface ListedExample {
  readonly id: string;
  readonly node_id: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly metadata: unknown;
  readonly updated_at: string;
  readonly source: { readonly span_id: string; readonly span_node_id: string } | null;
}

export interface Uploaded {
  readonly dataset_id: string;
  readonly version_id: string;
  readonly num_created_examples: number;
  readonly num_updated_examples: number;
  readonly num_deleted_examples: number;
}

/** What tests ask of datasets. */
export function datasetsOf(api: () => TestApi) {
  const ask = async (line: string, json?: unknown): Promise<Answered> =>
    answered(await send(api().server, line, json === undefined ? {} : { json }));
  const upload = (body: object) => ask("POST /v1/datasets/upload?sync=true", body);
  return {
    ask,
    upload,
    /** An upload that must succeed. */
    async uploaded(body: object): Promise<Uploaded> {
      const { status, text, data } = await upload(body);
      if (status !== 200) throw new Error(`The upload was answered with ${status}: ${text}`);
      return data;
    },
    async examples(datasetId: string, query = ""): Promise<readonly ListedExample[]> {
      const { status, text, data } = await ask(`GET /v1/datasets/${datasetId}/examples${query}`);
      if (status !== 200) throw new Error(`The examples were answered with ${status}: ${text}`);
      return data.examples;
    },
    /** Uploads a file with these fields; a list is sent as a repeated part. */
    async uploadFile(fields: Readonly<Record<string, string | readonly string[]>>, file: SentFile): Promise<Answered> {
      return answered(await sendForm(api(), formOf(fields, file)));
    },
  };
}

async function answered(response: Response): Promise<Answered> {
  const text = await response.text();
  return { status: response.status, text, data: null, ...(text.startsWith("{") ? JSON.parse(text) : {}) };
}

interface SentFile {
  readonly content: string | Uint8Array;
  readonly type: string;
  readonly encoding?: string;
  readonly name?: string;
}

export const BOUNDARY = "boundary-of-tests";

/** Multipart form data as the official clients send it: the file is the last part. */
export function formOf(
  fields: Readonly<Record<string, string | readonly string[]>>,
  file: SentFile,
): Uint8Array<ArrayBuffer> {
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((text) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`),
  );
  const { content, type, encoding, name = "examples.csv" } = file;
  const packed = encoding === undefined ? "" : `Content-Encoding: ${encoding}\r\n`;
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n${packed}Content-Type: ${type}\r\n\r\n`;
  return Buffer.concat([
    Buffer.from(parts.join("") + head),
    Buffer.from(content),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
}

export function sendForm({ server }: TestApi, body: Uint8Array<ArrayBuffer> | ReadableStream): Promise<Response> {
  return send(server, "POST /v1/datasets/upload?sync=true", {
    headers: { "content-type": `multipart/form-data; boundary=${BOUNDARY}` },
    body,
  });
}
