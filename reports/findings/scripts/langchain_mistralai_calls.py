import asyncio

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_mistralai import ChatMistralAI
from service import serve, sse


def chunk(finish=None, **delta):
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


def piece(arguments, name="", **more):
    return {"index": 0, "function": {"name": name, "arguments": arguments}, **more}


def ask(*chunks, messages="Hi"):
    url, asked = serve(sse(*chunks))
    model = ChatMistralAI(model="m", api_key="none", endpoint=url, streaming=True, max_retries=1)
    try:
        reply = asyncio.run(model.ainvoke(messages))
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[:3]
    return reply, asked[0]["messages"]


whole = piece({"city": "Rome"}, "weather", id="D681PevKs")
print("1", ask(chunk("tool_calls", role="assistant", content="", tool_calls=[whole])))
first, second = piece('{"city": ', "weather", id="D681PevKs"), piece('"Rome"}')
reply, _ = ask(chunk(tool_calls=[first]), chunk("tool_calls", tool_calls=[second]))
print("2", reply.tool_calls, reply.invalid_tool_calls)
call = {"name": "weather", "args": {"city": "Rome"}, "id": "D681PevKs"}
history = [HumanMessage("Weather?"), AIMessage("Let me see.", tool_calls=[call])]
history.append(ToolMessage("sunny", tool_call_id="D681PevKs"))
print("3", ask(chunk("stop", role="assistant", content="Sunny."), messages=history)[1][1])
