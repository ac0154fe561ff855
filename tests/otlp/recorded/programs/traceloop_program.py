"""A workflow, a task and a tool of Traceloop's SDK around a chat completion."""

import os

from traceloop.sdk import Traceloop
from traceloop.sdk.decorators import task, tool, workflow

Traceloop.init(app_name="weather", api_endpoint=os.environ["COLLECTOR_URL"], disable_batch=True, telemetry_enabled=False)

import openai


@tool(name="weather")
def weather(city: str) -> dict:
    return {"city": city, "weather": "rain"}


@task(name="ask")
def ask(question: str) -> str:
    completion = openai.OpenAI().chat.completions.create(
        model="example-1",
        messages=[{"role": "user", "content": question}],
        tools=[{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}],
    )
    return completion.choices[0].message.tool_calls[0].function.name


@workflow(name="weather_report")
def report(question: str) -> dict:
    Traceloop.set_association_properties({"session_id": "session-1", "user_id": "user-1", "tier": "gold"})
    ask(question)
    return weather("Malmö")


report("How is the weather in Malmö?")
