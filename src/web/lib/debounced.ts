// A value that follows another after a pause: what is typed asks the server no more often than every 250 ms.
import { useEffect, useState } from "react";

const PAUSE_MS = 250;

export function useDebounced<Value>(value: Value, pauseMs = PAUSE_MS): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
