"""The files for containers: well made, and what they start is right, tried here without a container."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from tests.test_start import free_port

ROOT = Path(__file__).parent.parent.parent
BIN = Path(sys.executable).parent
CONTAINERFILE = (ROOT / "Containerfile").read_text("utf-8").replace("\\\n", " ")
LAST_STAGE = CONTAINERFILE.rpartition("\nFROM ")[2]
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))


def instruction(name: str) -> str:
    return re.findall(rf"^\s*{name} +(.*)$", LAST_STAGE, re.MULTILINE)[-1]


def environment() -> dict[str, str]:
    """What the image sets."""
    return dict(pair.split("=", 1) for pair in shlex.split(instruction("ENV")))


def test_the_files_are_well_made():
    rules = "{extends: default, rules: {line-length: {max: 120}, document-start: disable}}"
    for line in (
        [BIN / "hadolint", "Containerfile"],
        [BIN / "yamllint", "--strict", "-d", rules, "compose.yaml"],
    ):  # fmt: skip
        done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_app_is_not_root_and_writes_only_where_it_may():
    assert int(instruction("USER")) > 0
    app = COMPOSE["services"]["app"]
    assert app["read_only"] is True and app["cap_drop"] == ["ALL"] and app["tmpfs"] == ["/tmp"]
    assert app["volumes"] == [f"data:{environment()['COMPANION_INSTANCE_PATH']}"]
    assert "ports" not in app, "nobody reaches it past the proxy"
    assert app["environment"]["COMPANION_TRUSTED_PROXIES"] == "1"
    assert set(COMPOSE["volumes"]) >= {"data", "database", "certificates"}


def test_it_waits_for_the_database_and_the_proxy_for_it():
    services = COMPOSE["services"]
    assert services["app"]["depends_on"] == {"database": {"condition": "service_healthy"}}
    assert services["proxy"]["depends_on"] == {"app": {"condition": "service_healthy"}}
    assert services["database"]["healthcheck"]["test"][0] == "CMD-SHELL"
    caddyfile = COMPOSE["configs"]["caddyfile"]["content"]
    assert f"reverse_proxy app:{environment()['PORT']}" in caddyfile and "path /metrics" in caddyfile


def test_what_is_copied_into_the_image_is_there():
    for source in re.findall(r"^COPY (?!--from)(.*)$", CONTAINERFILE, re.MULTILINE):
        for name in source.split()[:-1]:
            assert (ROOT / name).exists(), name


@pytest.mark.slow
def test_the_same_start_environment_and_health_check(tmp_path, make_database):
    port = str(free_port())
    ours = ("COMPANION_", "HOST", "PORT", "DATABASE_URL")
    outside = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    given = environment() | {
        "PATH": f"{BIN}:{outside['PATH']}",
        "COMPANION_INSTANCE_PATH": str(tmp_path),
        "PORT": port,
        "HOST": "127.0.0.1",
    }
    given |= COMPOSE["services"]["app"]["environment"] | {"DATABASE_URL": make_database()}
    health = json.loads(LAST_STAGE.partition("HEALTHCHECK")[2].partition("CMD")[2].splitlines()[0])
    health = [word.replace(f":{environment()['PORT']}/", f":{port}/") for word in health]
    command = json.loads(re.findall(r"^CMD (.*)$", LAST_STAGE, re.MULTILINE)[0])

    def is_healthy() -> bool:
        return subprocess.run(health, env=outside | given, capture_output=True, check=False).returncode == 0

    assert not is_healthy()
    with subprocess.Popen(
        command, env=outside | given, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            until = time.monotonic() + 60
            while not is_healthy():
                assert server.poll() is None and time.monotonic() < until
                time.sleep(0.3)
        finally:
            server.terminate()
            server.wait(30)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["running", "secret"]
