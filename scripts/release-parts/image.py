"""Writes an image as an OCI archive: `image.py PROGRAM ARCHIVE VERSION REVISION ARCHITECTURE`.

The image is that of deploy/Containerfile: the program, the C library that it was linked with (none if it is static), the CA
bundle and the files of a user without rights. Its bytes depend on nothing else but SOURCE_DATE_EPOCH.
"""

import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
from datetime import datetime, timezone

USER = 65532
EPOCH = int(os.environ["SOURCE_DATE_EPOCH"])
CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt"
CREATED = datetime.fromtimestamp(EPOCH, timezone.utc).isoformat()


def libraries(program: str) -> list[str]:
    """The libraries of a program that is not static, by their paths."""
    listed = subprocess.run(["ldd", program], capture_output=True, text=True, check=False)
    return sorted(set(re.findall(r"/\S+", listed.stdout))) if listed.returncode == 0 else []


def entry(name: str, mode: int, kind: bytes = tarfile.REGTYPE, owner: int = 0) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.mode, info.type, info.mtime, info.uid, info.gid = mode, kind, EPOCH, owner, owner
    return info


def layer(program: str) -> bytes:
    files = {
        "usr/local/bin/firmquote": (0o755, open(program, "rb").read()),
        CERTIFICATES[1:]: (0o644, open(CERTIFICATES, "rb").read()),
        "etc/passwd": (0o644, f"firmquote:x:{USER}:{USER}::/nonexistent:/nonexistent\n".encode()),
        "etc/group": (0o644, f"firmquote:x:{USER}:\n".encode()),
        "etc/nsswitch.conf": (0o644, b"hosts: files dns\n"),
    }
    files |= {path[1:]: (0o755, open(path, "rb").read()) for path in libraries(program)}
    folders = {"etc/firmquote": (0o755, 0), "tmp": (0o1777, 0), "var/lib/firmquote": (0o700, USER),
               "var/lib/firmquote-archive": (0o700, USER)}
    for path in [*files, *folders]:
        parts = path.split("/")[:-1]
        for length in range(1, len(parts) + 1):
            folders.setdefault("/".join(parts[:length]), (0o755, 0))
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path, (mode, owner) in sorted(folders.items()):
            archive.addfile(entry(path, mode, tarfile.DIRTYPE, owner))
        for path, (mode, content) in sorted(files.items()):
            info = entry(path, mode)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def main(program: str, output: str, version: str, revision: str, architecture: str) -> None:
    blobs: dict[str, bytes] = {}

    def blob(content: bytes, media_type: str) -> dict[str, object]:
        digest = hashlib.sha256(content).hexdigest()
        blobs[f"blobs/sha256/{digest}"] = content
        return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}

    def document(content: object, media_type: str) -> dict[str, object]:
        return blob(json.dumps(content, sort_keys=True, separators=(",", ":")).encode(), media_type)

    plain = layer(program)
    layers = [blob(gzip.compress(plain, mtime=0), "application/vnd.oci.image.layer.v1.tar+gzip")]
    config = document(
        {
            "architecture": architecture,
            "os": "linux",
            "created": CREATED,
            "config": {
                "User": f"{USER}:{USER}",
                "WorkingDir": "/etc/firmquote",
                "ExposedPorts": {"8080/tcp": {}, "9090/tcp": {}},
                "StopSignal": "SIGTERM",
                "Entrypoint": ["/usr/local/bin/firmquote"],
                "Cmd": ["serve", "--config", "/etc/firmquote/firmquote.toml"],
                "Labels": {
                    "org.opencontainers.image.title": "Firmquote",
                    "org.opencontainers.image.version": version,
                    "org.opencontainers.image.revision": revision,
                    "org.opencontainers.image.licenses": "MIT OR Apache-2.0",
                },
            },
            "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(plain).hexdigest()}"]},
            "history": [{"created": CREATED, "created_by": "scripts/release"}],
        },
        "application/vnd.oci.image.config.v1+json",
    )
    manifest_type = "application/vnd.oci.image.manifest.v1+json"
    manifest = document(
        {"schemaVersion": 2, "mediaType": manifest_type, "config": config, "layers": layers}, manifest_type
    )
    manifest["platform"] = {"architecture": architecture, "os": "linux"}
    manifest["annotations"] = {"org.opencontainers.image.ref.name": version}
    blobs["index.json"] = json.dumps({"schemaVersion": 2, "manifests": [manifest]}, sort_keys=True).encode()
    blobs["oci-layout"] = b'{"imageLayoutVersion":"1.0.0"}'
    with tarfile.open(output, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for folder in ("blobs", "blobs/sha256"):
            archive.addfile(entry(folder, 0o755, tarfile.DIRTYPE))
        for name, content in sorted(blobs.items()):
            info = entry(name, 0o644)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))


main(*sys.argv[1:])
