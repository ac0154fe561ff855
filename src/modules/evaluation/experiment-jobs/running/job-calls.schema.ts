// A call that a job makes.
import type { JsonObject } from "../../../../kernel/json.ts";
import type { CallLimits } from "../../../../providers/call-limits.ts";
import type { ModelCall } from "../../../../providers/model-call.ts";
import type { CallPlace } from "../../model-calls/model-calls.schema.ts";
import type { CallPurpose } from "../../spending/spending.schema.ts";

export interface JobCall {
  readonly call: ModelCall;
  readonly purpose: CallPurpose;
  readonly callLimits: CallLimits;
  /** Row id of the project whose budget counts. */
  readonly projectId: number | null;
  readonly place: CallPlace | null;
  readonly metadata: JsonObject;
  /** Called when the provider has answered: what follows is the record of the call. */
  readonly onAnswered: () => void;
}
