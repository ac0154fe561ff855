// The input of a call: path, query and body are checked together, so that a caller hears of every violation at once.
import { announcedBytes, readBody, readBytes } from "../api/body.ts";
import type { BulkReader, KeptBody } from "../api/bulk-reader.ts";
import { readQuery } from "../api/query.ts";
import type { Route } from "../api/route.ts";
import { Failure, fail, type Violation } from "../kernel/failure.ts";
import { storableText } from "../kernel/validation-scalars.ts";
import { Violations } from "../kernel/violations.ts";

export interface PathParameter {
  readonly name: string;
  /** Among the pieces of the path between slashes. */
  readonly position: number;
}

/** The `{name}` segments of a path template. */
export function pathParameters(template: string): readonly PathParameter[] {
  return template
    .split("/")
    .map((piece, position) => ({ name: /^\{(.+)\}$/.exec(piece)?.[1] ?? "", position }))
    .filter((parameter) => parameter.name !== "");
}

/** Decodes path segments once. Throws kind `not_found` for what cannot be one segment: an encoded slash, or a malformed
 *  encoding. */
export function readParameters(parameters: readonly PathParameter[], path: string): Record<string, string> {
  const values: Record<string, string> = {};
  if (parameters.length === 0) return values;
  const pieces = path.split("/");
  for (const { name, position } of parameters) values[name] = storableText(decodeSegment(pieces[position] ?? ""));
  return values;
}

function decodeSegment(segment: string): string {
  if (!segment.includes("%")) return segment;
  try {
    const decoded = decodeURIComponent(segment);
    if (!decoded.includes("/")) return decoded;
  } catch {
    // Falls through: a malformed encoding names nothing.
  }
  throw notFound();
}

export function notFound() {
  return fail("http.not_found", "not_found", "Not Found");
}

export interface BodyLimits {
  /** Bytes of a body in bulk at most. */
  readonly bodyLimit: number;
  /** Bytes of any other JSON body at most. */
  readonly jsonBodyLimit: number;
  /** Milliseconds without a byte after which a body is given up. */
  readonly bodySilenceMs: number;
}

interface ReadInput {
  readonly query: unknown;
  readonly body: unknown;
  /** Lets go of a body in bulk; to be called when the request is answered. */
  release(): void;
}

/** Query and body by the schemas of the route. Throws kind `invalid` with the violations of both, and kind `unavailable` for a body in
 *  bulk while too many of them arrive. */
export async function readInput(
  route: Route,
  request: Request,
  limits: BodyLimits,
  bulkReader: BulkReader,
): Promise<ReadInput> {
  try {
    return await readQueryAndBody(route, request, limits, bulkReader);
  } catch (error) {
    const { violationDocument } = route;
    if (violationDocument === undefined || !(error instanceof Failure)) throw error;
    const { code, kind, message, details } = error;
    if (details.violations === undefined) throw error;
    throw fail(code, kind, message, { document: violationDocument(details.violations) });
  }
}

async function readQueryAndBody(
  route: Route,
  request: Request,
  limits: BodyLimits,
  bulkReader: BulkReader,
): Promise<ReadInput> {
  const violations = new Violations();
  const query = route.query === undefined ? undefined : readQuery(route.query, request.url, violations);
  const { bulk, streamed } = route;
  if (streamed !== undefined) {
    if (violations.total > 0) throw invalidInput(violations, route.confidential === true);
    const kept = await bulkReader.open(streamed, request.headers.get("content-type"));
    return { query, body: kept.body, release: kept.release };
  }
  if (bulk === undefined) {
    const bounds = { bytes: limits.jsonBodyLimit, silenceMs: limits.bodySilenceMs };
    const body = route.body === undefined ? undefined : await readBody(route.body, request, bounds, violations);
    if (violations.total > 0) throw invalidInput(violations, route.confidential === true);
    return { query, body, release: () => {} };
  }
  const reservation = bulkReader.reserveBytes(announcedBytes(request, limits.bodyLimit));
  let kept: KeptBody | null = null;
  const release = () => {
    kept?.release();
    reservation.release();
  };
  try {
    const bytes = await readBytes(request, limits.bodyLimit, limits.bodySilenceMs, reservation.take);
    kept = await bulkReader.read(bulk, bytes, request.headers.get("content-type"), violations);
    if (violations.total > 0) throw invalidInput(violations, route.confidential === true);
    return { query, body: kept?.body, release };
  } catch (error) {
    release();
    throw error;
  }
}

function invalidInput(violations: Violations, confidential: boolean) {
  const listed = violations.list();
  const about = listed.map((violation) => violation.loc.join(".")).join(", ");
  return fail("request.invalid", "invalid", `Invalid input: ${about}`, {
    violations: confidential ? listed.map(withoutInput) : listed,
    violationCount: violations.total,
  });
}

/** The input of a violation may be the whole object around it. */
function withoutInput(violation: Violation): Violation {
  return { ...violation, input: null };
}
