"""Writes a bill of materials (CycloneDX 1.6): `materials.py TARGET FILE VERSION`. It lists the crates that the program is built
from for a target, with their licenses and checksums, from Cargo.lock and the metadata of cargo."""

import json
import os
import subprocess
import sys
import tomllib
import uuid
from datetime import datetime, timezone


def main(target: str, output: str, version: str) -> None:
    metadata = json.loads(
        subprocess.run(
            ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", target],
            capture_output=True,
            check=True,
        ).stdout
    )
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    root = next(package for package in packages.values() if package["name"] == "firmquote" and package["source"] is None)
    used, pending = set(), [root["id"]]
    while pending:
        name = pending.pop()
        if name in used:
            continue
        used.add(name)
        # Neither the tests nor what builds the program is in it.
        kinds = lambda dependency: any(kind["kind"] is None for kind in dependency["dep_kinds"])
        pending += [dependency["pkg"] for dependency in nodes[name]["deps"] if kinds(dependency)]
    with open("Cargo.lock", "rb") as lock:
        checksums = {(one["name"], one["version"]): one.get("checksum") for one in tomllib.load(lock)["package"]}

    def reference(package: dict) -> str:
        return f"pkg:cargo/{package['name']}@{package['version']}"

    def component(package: dict) -> dict:
        checksum = checksums.get((package["name"], package["version"]))
        found = {
            "type": "library",
            "bom-ref": reference(package),
            "name": package["name"],
            "version": package["version"],
            "purl": reference(package),
            "licenses": [{"expression": package["license"].replace("/", " OR ")}] if package["license"] else [],
        }
        return found | ({"hashes": [{"alg": "SHA-256", "content": checksum}]} if checksum else {})

    listed = sorted((packages[name] for name in used), key=lambda package: (package["name"], package["version"]))
    created = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), timezone.utc)
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'firmquote {version} {target} {created}')}",
        "version": 1,
        "metadata": {
            "timestamp": created.isoformat(),
            "component": {"type": "application", "bom-ref": reference(root), "name": "firmquote", "version": version},
        },
        "components": [component(package) for package in listed if package["id"] != root["id"]],
        "dependencies": [
            {
                "ref": reference(package),
                "dependsOn": sorted(
                    {reference(packages[one["pkg"]]) for one in nodes[package["id"]]["deps"] if one["pkg"] in used}
                ),
            }
            for package in listed
        ],
    }
    with open(output, "w", encoding="utf-8") as file:
        json.dump(document, file, indent=1, sort_keys=True)
        file.write("\n")


main(*sys.argv[1:])
