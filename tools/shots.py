"""`make shots`: the pictures of the README, taken anew from the demo evening."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from playwright.sync_api import BrowserContext, sync_playwright

from tools.demo import demo_pages
from tools.lighthouse import FLAGS
from tools.served import served

PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
PHONE = {"width": 375, "height": 667}
#: picture -> (page, its query, colour scheme, language)
SHOTS = {
    "table": ("table", "", "light", "en-GB"),
    "throw": ("throw", "?card=5H", "dark", "en-GB"),
    "scores": ("scores", "", "light", "pt-PT"),
}


def main() -> None:
    """Take them all."""
    PICTURES.mkdir(exist_ok=True)
    with served() as (app, url), sync_playwright() as driver:
        pages, cookie = demo_pages(app)
        name, _, value = cookie.partition("=")
        path = os.environ.get("CHROMIUM") or shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=path, args=FLAGS.replace("--headless=new ", "").split())
        for picture, (page, query, scheme, locale) in SHOTS.items():
            context = browser.new_context(
                viewport=PHONE,
                device_scale_factor=2,
                is_mobile=True,
                has_touch=True,
                color_scheme=scheme,
                locale=locale,
            )
            context.add_cookies([{"name": name, "value": value, "url": url}])
            _take(context, url + pages[page] + query, PICTURES / f"{picture}.png")
            context.close()
        browser.close()


def _take(context: BrowserContext, address: str, file: Path) -> None:
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    page.screenshot(path=file)
    print(f"{file.name}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
