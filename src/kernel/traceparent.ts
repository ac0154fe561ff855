// The header `traceparent` of W3C Trace Context, by which a caller says which span it asks from, and whether that is recorded.

interface Traceparent {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Later versions may say more behind the flags. */
const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** Null for an invalid header, which is ignored, as the standard requires. */
export function readTraceparent(text: string | null | undefined): Traceparent | null {
  const [, version, traceId, spanId, flags, more] = FORM.exec(text?.trim() ?? "") ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return null;
  if (/^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return null;
  return { traceId: traceId!, spanId: spanId!, isSampled: (Number.parseInt(flags!, 16) & SAMPLED) !== 0 };
}

/** True where the caller says that what it asks for is not recorded. */
export function isUnsampled(text: string | null | undefined): boolean {
  return readTraceparent(text)?.isSampled === false;
}
