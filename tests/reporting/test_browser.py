"""The page as people meet it: opened from a file, offline, in a real browser."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from harness.contract.rules import RULES
from harness.reporting.events import Event
from harness.reporting.html import render_html
from tests.reporting.browser import chromium
from tests.reporting.runs import MUST, SHOULD, TOOLS, finished, provider, scenario, started
from tests.reporting.test_html import HOSTILE, everywhere

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DESKTOP: Final = {"width": 1280, "height": 900}
PHONE: Final = {"width": 390, "height": 844}
#: counts what hostile text could do: run a script, ask for something, or add an element that runs or loads
ALARMS: Final = """() => ({
    scripts: document.scripts.length,
    loading: document.querySelectorAll("img, iframe, object, embed, link, base, [src], [srcdoc]").length,
    handlers: [...document.querySelectorAll("*")].filter(
        (node) => [...node.attributes].some(({name}) => name.startsWith("on"))).length,
    addresses: [...document.querySelectorAll("[href], [action]")].length,
})"""


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with chromium() as found:
        yield found


@pytest.fixture
def messages() -> list[str]:
    """What the page complains about, asks for, or says in a dialog."""
    return []


@pytest.fixture
def opened(browser: "Browser", tmp_path: Path, messages: list[str]) -> Iterator[Any]:
    contexts = []

    def open_page(events: list[Event], fragment: str = "", **options: Any) -> "Page":
        file = tmp_path / "run.html"
        file.write_text(render_html(events), encoding="utf-8", errors="surrogatepass")
        contexts.append(browser.new_context(**({"viewport": DESKTOP} | options), offline=True))
        page = contexts[-1].new_page()

        def dismissed(dialog: Any) -> None:
            messages.append(dialog.message)
            dialog.dismiss()

        def asked(request: Any) -> None:
            if request.url != file.as_uri():
                messages.append(request.url)

        page.on("console", lambda message: messages.append(message.text))
        page.on("pageerror", lambda error: messages.append(str(error)))
        page.on("dialog", dismissed)
        page.on("request", asked)
        page.goto(file.as_uri() + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()


def broken_run() -> list[Event]:
    met = scenario((MUST, SHOULD, TOOLS), (MUST, SHOULD), "failed")
    other = scenario((MUST, SHOULD), (SHOULD,), provider="b")
    return [started(provider("a", profiles=("core", "tools")), provider("b")), met, other, finished()]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_does_nothing(opened: Any, messages: list[str], text: str) -> None:
    page = opened(everywhere(text))
    for button in page.locator("button[popovertarget^=c], button[popovertarget^=a]").all():
        button.dispatch_event("click")
    assert messages == []
    assert page.evaluate(ALARMS) == {"scripts": 1, "loading": 0, "handlers": 0, "addresses": 0}


def test_a_script_that_got_in_would_not_run(opened: Any, messages: list[str]) -> None:
    page = opened(broken_run())
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<b onclick=\"window.bad = 1\">x</b>')")
    page.evaluate("document.querySelector('b').click()")
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.bad = 1'}))"
    )
    assert page.evaluate("window.bad") is None
    assert all("Content Security Policy" in message for message in messages)
    assert len(messages) == 2


def test_a_cell_opens_what_was_met_and_closes_by_key(opened: Any, messages: list[str]) -> None:
    page = opened(broken_run())
    cell = page.get_by_role("button", name=f"fail: {MUST}, a")
    cell.press("Enter")
    details = page.locator(f"#c0-{MUST}")
    assert details.is_visible()
    for words in ("met this", "wanted that", "call: x", "again"):
        assert details.get_by_text(words, exact=True).is_visible()
    assert details.locator("svg.picture").is_visible()
    page.keyboard.press("Escape")
    assert not details.is_visible()
    assert messages == []


def test_arrows_move_between_broken_cells(opened: Any) -> None:
    page = opened(broken_run())
    page.get_by_role("button", name=f"fail: {MUST}, a").focus()

    def focused() -> str:
        return str(
            page.evaluate("document.activeElement.getAttribute('aria-label') || document.activeElement.innerText")
        )

    page.keyboard.press("ArrowUp")
    assert focused() == f"warn: {SHOULD}, a"
    page.keyboard.press("ArrowRight")
    assert focused() == f"warn: {SHOULD}, b"
    page.keyboard.press("ArrowRight")
    assert focused() == f"warn: {SHOULD}, b", "there is nothing further right"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert focused() == SHOULD


def test_a_search_leaves_what_matches(opened: Any) -> None:
    page = opened(broken_run())
    page.keyboard.press("/")
    page.keyboard.type("messagestop once")
    shown = page.locator("#matrix .rule button:visible").all_inner_texts()
    wanted = [
        rule.id
        for rule in RULES.values()
        if all(w in f"{rule.id} {rule.title}".lower() for w in ("messagestop", "once"))
    ]
    assert shown == wanted
    assert page.locator("#shown").inner_text() == f"{len(wanted)} rules"
    page.locator("#rule-words").fill("")
    page.get_by_label("broken only").check()
    assert page.locator("#matrix .rule button:visible").all_inner_texts() == [SHOULD, MUST]
    page.locator("#adapter-words").fill("b")
    assert page.locator("#matrix thead .adapter:visible").all_inner_texts() == ["b"]


def test_an_open_cell_can_be_linked_to(opened: Any) -> None:
    page = opened(broken_run(), f"#c1-{SHOULD}")
    assert page.locator(f"#c1-{SHOULD}").is_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name=f"fail: {MUST}, a").click()
    assert page.url.endswith(f"#c0-{MUST}")


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_nothing_but_the_matrix_is_wider_than_the_window(opened: Any, size: dict[str, int]) -> None:
    page = opened(everywhere("a long name without a space " + "x" * 300), viewport=size)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.locator("button[popovertarget^=c]").first.click()
    box = page.locator("[popover]:popover-open").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= size["width"]


CONTRAST: Final = """(selector) => {
    const numbers = (text) => text.match(/[0-9.]+/g).map(Number);
    const light = (rgb) => rgb.slice(0, 3).map((v) => v / 255)
        .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
    const behind = (node) => {
        for (; node; node = node.parentElement) {
            const found = numbers(getComputedStyle(node).backgroundColor);
            if (found.length === 3 || found[3] > 0) return found;
        }
        return [255, 255, 255];
    };
    return [...document.querySelectorAll(selector)].map((node) => {
        const style = getComputedStyle(node);
        const ink = node instanceof SVGElement ? style.fill : style.color;
        const [low, high] = [light(numbers(ink)), light(behind(node))].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    });
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_either_scheme(opened: Any, scheme: str) -> None:
    page = opened(broken_run(), color_scheme=scheme)
    for selector in ("body", ".matrix td", ".sign", ".quiet", ".title", ".banner", ".picture text", ".marked", ".link"):
        assert all(ratio >= 4.5 for ratio in page.evaluate(CONTRAST, selector)), selector
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 23, 26)"
    )
