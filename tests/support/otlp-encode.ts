// Encodes export requests, written as OTLP/JSON objects, into protobuf: for API tests and the load generator. Fast enough
// for the latter (one growing buffer, lengths patched in afterwards); covers every field that the decoder reads.

export interface OtlpValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  /** A number, or text for integers beyond 2^53. */
  readonly intValue?: string | number;
  /** NaN and the infinities as text. */
  readonly doubleValue?: number | string;
  readonly bytesValue?: string;
  readonly arrayValue?: { readonly values?: readonly OtlpValue[] };
  readonly kvlistValue?: { readonly values?: readonly OtlpAttribute[] };
}

export interface OtlpAttribute {
  readonly key: string;
  readonly value?: OtlpValue;
}

export interface OtlpEvent {
  readonly name?: string;
  readonly timeUnixNano?: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly droppedAttributesCount?: number;
}

export interface OtlpLink {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly traceState?: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly droppedAttributesCount?: number;
  readonly flags?: number;
}

/** Ids are hex, instants nanoseconds as text. */
export interface OtlpSpan {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
  readonly traceState?: string;
  readonly name?: string;
  readonly kind?: number;
  readonly startTimeUnixNano?: string;
  readonly endTimeUnixNano?: string;
  readonly attributes?: readonly OtlpAttribute[];
  readonly events?: readonly OtlpEvent[];
  readonly links?: readonly OtlpLink[];
  readonly status?: { readonly code?: number; readonly message?: string };
  readonly droppedAttributesCount?: number;
  readonly droppedEventsCount?: number;
  readonly droppedLinksCount?: number;
  readonly flags?: number;
}

export interface OtlpScopeSpans {
  readonly scope?: {
    readonly name?: string;
    readonly version?: string;
    readonly attributes?: readonly OtlpAttribute[];
    readonly droppedAttributesCount?: number;
  };
  readonly spans?: readonly OtlpSpan[];
  readonly schemaUrl?: string;
}

export interface OtlpExport {
  readonly resourceSpans?: readonly {
    readonly resource?: { readonly attributes?: readonly OtlpAttribute[]; readonly droppedAttributesCount?: number };
    readonly scopeSpans?: readonly OtlpScopeSpans[];
    readonly schemaUrl?: string;
  }[];
}

/** Protobuf bytes of a request. */
export function encodeOtlp(request: OtlpExport): Uint8Array<ArrayBuffer> {
  const writer = new Writer();
  for (const group of request.resourceSpans ?? []) {
    writer.message(1, () => {
      const { resource } = group;
      if (resource !== undefined) {
        writer.message(1, () => {
          writeAttributes(writer, 1, resource.attributes);
          writer.uint(2, resource.droppedAttributesCount);
        });
      }
      for (const scopeSpans of group.scopeSpans ?? []) writer.message(2, () => writeScopeSpans(writer, scopeSpans));
      writer.text(3, group.schemaUrl);
    });
  }
  return writer.finish();
}

/** A request with the given spans under one resource and one scope. */
export function otlpExport(spans: readonly OtlpSpan[], resource: readonly OtlpAttribute[] = []): OtlpExport {
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ spans }] }] };
}

/** Attributes from plain values: whole numbers are integers, other numbers doubles. */
export function otlpAttributes(values: Readonly<Record<string, unknown>>): OtlpAttribute[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

export function otlpValue(value: unknown): OtlpValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "number") return Number.isInteger(value) ? { intValue: value } : { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(otlpValue) } };
  if (value === null || value === undefined) return {};
  return { kvlistValue: { values: otlpAttributes(value as Record<string, unknown>) } };
}

function writeScopeSpans(writer: Writer, group: OtlpScopeSpans): void {
  const { scope } = group;
  if (scope !== undefined) {
    writer.message(1, () => {
      writer.text(1, scope.name);
      writer.text(2, scope.version);
      writeAttributes(writer, 3, scope.attributes);
      writer.uint(4, scope.droppedAttributesCount);
    });
  }
  for (const span of group.spans ?? []) writer.message(2, () => writeSpan(writer, span));
  writer.text(3, group.schemaUrl);
}

function writeSpan(writer: Writer, span: OtlpSpan): void {
  writer.hex(1, span.traceId);
  writer.hex(2, span.spanId);
  writer.text(3, span.traceState);
  writer.hex(4, span.parentSpanId);
  writer.text(5, span.name);
  writer.uint(6, span.kind);
  writer.fixed64(7, span.startTimeUnixNano);
  writer.fixed64(8, span.endTimeUnixNano);
  writeAttributes(writer, 9, span.attributes);
  writer.uint(10, span.droppedAttributesCount);
  for (const event of span.events ?? []) {
    writer.message(11, () => {
      writer.fixed64(1, event.timeUnixNano);
      writer.text(2, event.name);
      writeAttributes(writer, 3, event.attributes);
      writer.uint(4, event.droppedAttributesCount);
    });
  }
  writer.uint(12, span.droppedEventsCount);
  for (const link of span.links ?? []) {
    writer.message(13, () => {
      writer.hex(1, link.traceId);
      writer.hex(2, link.spanId);
      writer.text(3, link.traceState);
      writeAttributes(writer, 4, link.attributes);
      writer.uint(5, link.droppedAttributesCount);
      writer.fixed32(6, link.flags);
    });
  }
  writer.uint(14, span.droppedLinksCount);
  const { status } = span;
  if (status !== undefined) {
    writer.message(15, () => {
      writer.text(2, status.message);
      writer.uint(3, status.code);
    });
  }
  writer.fixed32(16, span.flags);
}

export function writeAttributes(writer: Writer, field: number, attributes: readonly OtlpAttribute[] | undefined): void {
  for (const { key, value } of attributes ?? []) {
    const start = writer.begin(field);
    writer.text(1, key);
    if (value !== undefined) writeValue(writer, 2, value);
    writer.end(start);
  }
}

export function writeValue(writer: Writer, field: number, value: OtlpValue): void {
  const start = writer.begin(field);
  const { arrayValue, kvlistValue } = value;
  if (value.stringValue !== undefined) writer.textAlways(1, value.stringValue);
  else if (value.boolValue !== undefined) writer.uintAlways(2, value.boolValue ? 1 : 0);
  else if (value.intValue !== undefined) writer.int64(3, value.intValue);
  else if (value.doubleValue !== undefined) writer.double(4, Number(value.doubleValue));
  else if (value.bytesValue !== undefined) writer.bytes(7, Buffer.from(value.bytesValue, "base64"));
  else if (arrayValue !== undefined) {
    const inner = writer.begin(5);
    for (const item of arrayValue.values ?? []) writeValue(writer, 1, item);
    writer.end(inner);
  } else if (kvlistValue !== undefined) {
    const inner = writer.begin(6);
    writeAttributes(writer, 1, kvlistValue.values);
    writer.end(inner);
  }
  writer.end(start);
}

/** Bytes kept free for the length of a message before it is known: enough for 2^28, written as a padded varint. */
const LENGTH_BYTES = 4;

/** Protobuf fields into one buffer. Absent and empty values are left out, as protobuf 3 does. */
export class Writer {
  private buffer = Buffer.allocUnsafe(65_536);
  private position = 0;

  message(field: number, write: () => void): void {
    const start = this.begin(field);
    write();
    this.end(start);
  }

  /** Opens a message; `end` takes what this returns. */
  begin(field: number): number {
    this.varint(field * 8 + 2);
    this.reserve(LENGTH_BYTES);
    this.position += LENGTH_BYTES;
    return this.position;
  }

  end(start: number): void {
    const length = this.position - start;
    for (let i = 0; i < LENGTH_BYTES; i += 1) {
      this.buffer[start - LENGTH_BYTES + i] = ((length >>> (7 * i)) & 127) | (i < LENGTH_BYTES - 1 ? 128 : 0);
    }
  }

  text(field: number, text: string | undefined): void {
    if (text !== undefined && text !== "") this.textAlways(field, text);
  }

  textAlways(field: number, text: string): void {
    this.varint(field * 8 + 2);
    const length = Buffer.byteLength(text, "utf8");
    this.varint(length);
    this.reserve(length);
    this.buffer.write(text, this.position, "utf8");
    this.position += length;
  }

  hex(field: number, hex: string | undefined): void {
    if (hex !== undefined && hex !== "") this.bytes(field, Buffer.from(hex, "hex"));
  }

  bytes(field: number, bytes: Uint8Array): void {
    this.varint(field * 8 + 2);
    this.varint(bytes.length);
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.position);
    this.position += bytes.length;
  }

  uint(field: number, value: number | undefined): void {
    if (value !== undefined && value !== 0) this.uintAlways(field, value);
  }

  uintAlways(field: number, value: number): void {
    this.varint(field * 8);
    this.varint(value);
  }

  int64(field: number, value: string | number): void {
    this.varint(field * 8);
    if (typeof value === "number" && value >= 0 && Number.isSafeInteger(value)) {
      this.varint(value);
      return;
    }
    this.reserve(10);
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest >= 128n; rest >>= 7n) this.buffer[this.position++] = Number(rest & 127n) | 128;
    this.buffer[this.position++] = Number(rest);
  }

  double(field: number, value: number): void {
    this.varint(field * 8 + 1);
    this.reserve(8);
    this.position = this.buffer.writeDoubleLE(value, this.position);
  }

  fixed64(field: number, value: string | undefined): void {
    if (value === undefined || value === "0") return;
    this.varint(field * 8 + 1);
    this.reserve(8);
    this.position = this.buffer.writeBigUInt64LE(BigInt(value), this.position);
  }

  fixed32(field: number, value: number | undefined): void {
    if (value === undefined || value === 0) return;
    this.varint(field * 8 + 5);
    this.reserve(4);
    this.position = this.buffer.writeUInt32LE(value, this.position);
  }

  /** A copy of what was written. */
  finish(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.buffer.subarray(0, this.position));
  }

  private varint(value: number): void {
    this.reserve(10);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.buffer[this.position++] = (rest % 128) | 128;
    this.buffer[this.position++] = rest;
  }

  private reserve(bytes: number): void {
    if (this.position + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, this.position + bytes));
    this.buffer.copy(larger, 0, 0, this.position);
    this.buffer = larger;
  }
}
