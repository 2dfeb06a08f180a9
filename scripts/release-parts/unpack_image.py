"""Unpacks the layers of an OCI archive into a folder, and checks the digests: `unpack_image.py ARCHIVE FOLDER`."""

import hashlib
import io
import json
import sys
import tarfile

archive, folder = sys.argv[1:]
with tarfile.open(archive) as image:

    def content(digest: str) -> bytes:
        algorithm, name = digest.split(":")
        data = image.extractfile(f"blobs/{algorithm}/{name}").read()
        assert hashlib.new(algorithm, data).hexdigest() == name, digest
        return data

    index = json.load(image.extractfile("index.json"))
    manifest = json.loads(content(index["manifests"][0]["digest"]))
    config = json.loads(content(manifest["config"]["digest"]))
    assert config["config"]["User"] == "65532:65532" and len(config["rootfs"]["diff_ids"]) == len(manifest["layers"])
    for layer in manifest["layers"]:
        with tarfile.open(fileobj=io.BytesIO(content(layer["digest"]))) as files:
            files.extractall(folder)
