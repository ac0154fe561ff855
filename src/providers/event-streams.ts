// Decodes event streams from chunks of any size: server-sent events, and the binary frames of Amazon.
import { createParser } from "eventsource-parser";
import { fail } from "../kernel/failure.ts";

export interface ReceivedEvent {
  /** Empty if the event has no name. */
  readonly name: string;
  readonly data: string;
  /** The event is an exception of that name, which ends the stream. */
  readonly isException: boolean;
}

export interface EventStream {
  /** The events that the bytes complete. Throws kind `malformed` for bytes that are no such stream. */
  push(bytes: Uint8Array): readonly ReceivedEvent[];
  /** Events in what remains, at the end of the stream. */
  end(): readonly ReceivedEvent[];
}

export function serverSentEvents(): EventStream {
  const decoder = new TextDecoder();
  let events: ReceivedEvent[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ name: event ?? "", data, isException: false }),
  });
  const take = (text: string) => {
    parser.feed(text);
    const taken = events;
    events = [];
    return taken;
  };
  return {
    push: (bytes) => take(decoder.decode(bytes, { stream: true })),
    // Some servers omit the last empty line.
    end: () => take(`${decoder.decode()}\n\n`),
  };
}

const LENGTH_BYTES = 4;
/** Two lengths and two checksums. */
const LEAST_FRAME_BYTES = 16;
/** Amazon's own bound of a message. */
const MOST_FRAME_BYTES = 24 * 1024 * 1024;

/** Frames of `application/vnd.amazon.eventstream`. The library is loaded by the first call of Bedrock. */
export async function amazonEvents(): Promise<EventStream> {
  const { EventStreamCodec } = await import("@smithy/eventstream-codec");
  const decoder = new TextDecoder();
  const codec = new EventStreamCodec(
    (bytes) => (typeof bytes === "string" ? bytes : decoder.decode(bytes)),
    (text) => new TextEncoder().encode(text),
  );
  /** Concatenated only when they hold a whole frame. */
  let pieces: Uint8Array[] = [];
  let size = 0;
  let wanted = LENGTH_BYTES;

  function decoded(frame: Uint8Array): ReturnType<typeof codec.decode> {
    try {
      return codec.decode(frame);
    } catch (cause) {
      throw fail("providers.frame", "malformed", "A frame is damaged", { cause });
    }
  }

  function eventOf(frame: Uint8Array): ReceivedEvent {
    const { headers, body } = decoded(frame);
    const header = (name: string) => String(headers[name]?.value ?? "");
    const type = header(":message-type");
    const name = type === "event" ? header(":event-type") : header(":exception-type") || header(":error-code");
    const data = body.length > 0 ? decoder.decode(body) : JSON.stringify({ message: header(":error-message") });
    return { name, data, isException: type !== "event" };
  }

  return {
    push(bytes) {
      pieces.push(bytes);
      size += bytes.length;
      if (size < wanted) return [];
      let rest: Uint8Array = Buffer.concat(pieces);
      const events: ReceivedEvent[] = [];
      for (wanted = LENGTH_BYTES; rest.length >= wanted; ) {
        wanted = frameLength(rest);
        if (rest.length < wanted) break;
        events.push(eventOf(rest.subarray(0, wanted)));
        rest = rest.subarray(wanted);
        wanted = LENGTH_BYTES;
      }
      pieces = [rest];
      size = rest.length;
      return events;
    },
    // A cut off frame shows as an answer that is not complete.
    end: () => [],
  };
}

/** Length of the first frame. `bytes` has at least LENGTH_BYTES. */
function frameLength(bytes: Uint8Array): number {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (length < LEAST_FRAME_BYTES || length > MOST_FRAME_BYTES) {
    throw fail("providers.frame", "malformed", `A frame cannot have ${length} bytes`);
  }
  return length;
}
