"""Reads the files of deploy/, and the project files that they have to be consistent with."""

import functools
import json
import pathlib
import re
import subprocess
import tomllib

import yaml

PROJECT = pathlib.Path(__file__).resolve().parents[2]
DEPLOY = PROJECT / "deploy"


def text(path):
    return (PROJECT / path).read_text()


def toml(path):
    return tomllib.loads(text(path))


def variables(path):
    """The variables of a file for `envFrom`, as a dictionary."""
    lines = [line for line in text(path).splitlines() if not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def one_yaml(path):
    return yaml.safe_load(text(path))


COMPOSE_STORES = ("redis", "memory", "sentinel")


def compose(store):
    """The model that compose makes of compose.yaml and the file of a store, as far as the checks need it."""
    model = {}
    for name in ("compose.yaml", f"{store}.yaml"):
        document = one_yaml(f"deploy/compose/{name}")
        services = {key: extended(service, name) for key, service in document.pop("services").items()}
        model = merged(model, document | {"services": services})
    return model


def extended(service, name):
    """A service with what it extends, which is in a file of that name unless it says another."""
    own = dict(service)
    base = own.pop("extends", None)
    if base is None:
        return own
    name = base.get("file", name)
    return merged(extended(one_yaml(f"deploy/compose/{name}")["services"][base["service"]], name), own)


def merged(one, other):
    """Mappings together, lists one after the other, commands and other values replaced."""
    result = dict(one)
    for key, value in other.items():
        if isinstance(value, dict) and isinstance(result.get(key), dict):
            value = merged(result[key], value)
        elif isinstance(value, list) and isinstance(result.get(key), list) and key not in ("command", "test"):
            value = [*result[key], *value]
        result[key] = value
    return result


def dashboard():
    return json.loads(text("deploy/grafana/dashboards/firmquote.json"))


def alerts():
    groups = one_yaml("deploy/prometheus/alerts.yml")["groups"]
    return [rule for group in groups for rule in group["rules"]]


@functools.cache
def kubernetes(folder="deploy/kubernetes"):
    """The manifests as applied."""
    built = subprocess.run(["kubectl", "kustomize", PROJECT / folder], check=True, capture_output=True, text=True)
    return list(yaml.safe_load_all(built.stdout))


def of_kind(kind, manifests=None):
    return [manifest for manifest in manifests or kubernetes() if manifest["kind"] == kind]


def store_of(manifests):
    """The variables of the store."""
    [store] = [one for one in of_kind("ConfigMap", manifests) if one["metadata"]["name"] == "firmquote-store"]
    return store["data"]


# Not from the service: the metrics of Prometheus itself and of the Redis exporter.
FOREIGN = {"up", "ALERTS", "redis_up", "redis_memory_used_bytes", "redis_memory_max_bytes", "redis_evicted_keys_total"}


def metrics_served():
    """The names in docs/metrics.md, which a test checks against a response of the service."""
    return set(re.findall(r"^\| `(\w+)` \|", text("docs/metrics.md"), re.MULTILINE))


def metrics_used(expression):
    """The metric names in a PromQL expression."""
    without = re.sub(r'"[^"]*"|\{[^}]*\}|\b(?:by|on|ignoring|without)\s*\([^)]*\)|\[[^]]*\]', " ", expression)
    names = set(re.findall(r"\b(?:firmquote|process|redis)_\w+|\bup\b|\bALERTS\b", without))
    return {re.sub(r"_(bucket|sum|count)$", "", name) for name in names}
