// What can go wrong between a page and its server, in the kinds that pages treat differently.

/** `refused`: what was sent is wrong, and the message says what. `unavailable`: the same may work later. */
type PageFailureKind =
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "refused"
  | "unavailable"
  | "unreachable"
  | "failed";

/** What is wrong with one member of what was sent; the location is that within the body, the address or its query. */
interface RefusedPlace {
  readonly location: readonly (string | number)[];
  readonly message: string;
}

export class PageFailure extends Error {
  readonly kind: PageFailureKind;
  /** `x-request-id` of the answer: the line of the server's log. */
  readonly requestId: string | null;
  /** Empty where the answer names none. */
  readonly places: readonly RefusedPlace[];

  constructor(
    kind: PageFailureKind,
    message: string,
    requestId: string | null = null,
    places: readonly RefusedPlace[] = [],
  ) {
    super(message);
    this.name = "PageFailure";
    this.kind = kind;
    this.requestId = requestId;
    this.places = places;
  }
}

export function failureOf(error: unknown): PageFailure {
  if (error instanceof PageFailure) return error;
  return new PageFailure("failed", error instanceof Error ? error.message : String(error));
}

/** What a fetch throws when there is no answer; an aborted one stays what it is. */
export function unreachable(error: unknown): unknown {
  return error instanceof DOMException && error.name === "AbortError"
    ? error
    : new PageFailure("unreachable", "The server cannot be reached.");
}

const kinds: Readonly<Record<number, PageFailureKind>> = {
  400: "refused",
  401: "unauthenticated",
  403: "forbidden",
  404: "not_found",
  408: "unavailable",
  409: "refused",
  413: "refused",
  415: "refused",
  422: "refused",
  429: "unavailable",
  503: "unavailable",
  507: "unavailable",
};

/** Reads the body of an answer that is no success: plain text, or `{"detail":[{loc,msg}]}`. */
export async function failureOfResponse(response: Response): Promise<PageFailure> {
  const text = await response.text().catch(() => "");
  const kind = kinds[response.status] ?? "failed";
  const { message, places } = parsedMessage(text);
  return new PageFailure(kind, message || `The server answered ${response.status}.`, idOf(response), places);
}

function idOf(response: Response): string | null {
  return response.headers.get("x-request-id");
}

interface Detail {
  readonly detail?: string | readonly { readonly loc?: readonly (string | number)[]; readonly msg?: string }[];
}

interface ParsedMessage {
  readonly message: string;
  readonly places: readonly RefusedPlace[];
}

function parsedMessage(text: string): ParsedMessage {
  const plain = (message: string) => ({ message, places: [] });
  if (!text.startsWith("{")) return plain(text.length > 400 ? "" : text.trim());
  try {
    const { detail } = JSON.parse(text) as Detail;
    if (typeof detail === "string") return plain(detail);
    const places = (detail ?? []).map(({ loc = [], msg = "" }) => ({ location: loc.slice(1), message: msg }));
    const sentences = places.map(({ location, message }) => [location.join("."), message].filter(Boolean).join(": "));
    return { message: sentences.join("; "), places };
  } catch {
    return plain("");
  }
}
