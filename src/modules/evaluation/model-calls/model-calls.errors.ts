// Why no further call is made.
import { fail } from "../../../kernel/failure.ts";

export const tooManyCalls = (most: number) =>
  fail(
    "model_calls.too_many",
    "unavailable",
    `${most} calls of models run at once already: try again in some seconds`,
    {
      retryAfterSeconds: 1,
    },
  );

export const callsEnded = () => fail("model_calls.ended", "unavailable", "The server shuts down: no call is made");
