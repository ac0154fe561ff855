// Multipart form data, read piece by piece: the parts with their headers, which the runtime's own reader does not show.
import { uploadRefused } from "../datasets.errors.ts";

/** What a part says of itself. */
export interface PartHead {
  readonly name: string;
  /** Null for a part that is no file. */
  readonly fileName: string | null;
  readonly type: string;
  readonly encoding: string;
}

/** Takes the parts in order. */
interface PartTaker {
  begin(head: PartHead): void;
  data(bytes: Uint8Array): Promise<void> | void;
  end(): Promise<void> | void;
}

interface MultipartReader {
  feed(bytes: Uint8Array): void;
  /** Goes on with what was fed, up to the next piece of a part. False when more is needed. */
  step(): Promise<boolean>;
  /** Throws kind `invalid` when the last part is not whole. */
  end(): void;
}

const MOST_HEAD_BYTES = 16 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");

/** The boundary in a content type. Throws kind `invalid` without one. */
export function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2];
  if (boundary === undefined) throw uploadRefused("content-type: names no boundary");
  return boundary;
}

export function createMultipartReader(boundary: string, taker: PartTaker): MultipartReader {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first delimiter has no line before it.
  let rest: Buffer = Buffer.from("\r\n");
  let state: "before" | "delimiter" | "head" | "body" | "after" = "before";

  /** Hands out the body up to `end`, where the delimiter may begin. */
  async function bodyTo(end: number): Promise<void> {
    if (end > 0) await taker.data(rest.subarray(0, end));
  }

  async function step(): Promise<boolean> {
    switch (state) {
      case "before": {
        const at = rest.indexOf(delimiter);
        if (at < 0) {
          rest = rest.subarray(Math.max(0, rest.byteLength - delimiter.byteLength));
          return false;
        }
        rest = rest.subarray(at + delimiter.byteLength);
        state = "delimiter";
        return true;
      }
      case "delimiter": {
        if (rest.byteLength < 2) return false;
        const following = rest.toString("latin1", 0, 2);
        if (following !== "--" && following !== "\r\n") throw uploadRefused("The form data has a wrong boundary");
        // Kept, so that a part without headers ends where its empty line does.
        if (following === "--") rest = rest.subarray(2);
        state = following === "--" ? "after" : "head";
        return true;
      }
      case "head": {
        const at = rest.indexOf(HEAD_END);
        if (at < 0 && rest.byteLength > MOST_HEAD_BYTES) throw uploadRefused("A part of the form data has a long head");
        if (at < 0) return false;
        taker.begin(headOf(rest.toString("utf8", 0, at)));
        rest = rest.subarray(at + HEAD_END.byteLength);
        state = "body";
        return true;
      }
      case "body": {
        const at = rest.indexOf(delimiter);
        if (at < 0) {
          const sure = Math.max(0, rest.byteLength - delimiter.byteLength + 1);
          await bodyTo(sure);
          rest = rest.subarray(sure);
          return false;
        }
        await bodyTo(at);
        await taker.end();
        rest = rest.subarray(at + delimiter.byteLength);
        state = "delimiter";
        return true;
      }
      default:
        rest = Buffer.alloc(0);
        return false;
    }
  }

  return {
    feed(bytes) {
      rest = rest.byteLength === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes]);
    },
    step,
    end() {
      if (state !== "after") throw uploadRefused("The form data is cut off: its last boundary is missing");
    },
  };
}

function headOf(text: string): PartHead {
  const headers = new Map(
    text
      .split("\r\n")
      .filter((line) => line !== "")
      .map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const;
      }),
  );
  const disposition = headers.get("content-disposition") ?? "";
  const name = parameterOf(disposition, "name");
  if (name === null) throw uploadRefused("A part of the form data has no name");
  return {
    name,
    fileName: parameterOf(disposition, "filename"),
    type: headers.get("content-type")?.toLowerCase() ?? "",
    encoding: headers.get("content-encoding")?.toLowerCase() ?? "",
  };
}

function parameterOf(disposition: string, name: string): string | null {
  const match = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]+))`, "i").exec(disposition);
  const value = match?.[1]?.replace(/\\(.)/g, "$1") ?? match?.[2];
  // Browsers write quotes and line breaks so.
  return value === undefined ? null : value.replace(/%22/g, '"').replace(/%0D/g, "\r").replace(/%0A/g, "\n");
}
