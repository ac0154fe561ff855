"""A completion through LiteLLM with its OpenTelemetry callback."""

import os

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
os.environ["OTEL_EXPORTER"] = "otlp_http"
os.environ["OTEL_ENDPOINT"] = os.environ["COLLECTOR_URL"] + "/v1/traces"

import litellm

litellm.callbacks = ["otel"]
litellm.completion(
    model="openai/gpt-4o-mini",
    messages=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "How is the weather in Malmö?"}],
    user="user-1",
    metadata={"tier": "gold"},
)
import time

from opentelemetry import trace

time.sleep(2)
