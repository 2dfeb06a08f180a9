"""The image: built with the project's toolchain, from the intended files, with the project's version."""

import re
import unittest

import files


class Image(unittest.TestCase):
    def setUp(self):
        self.lines = files.text("deploy/Containerfile")

    def test_it_is_built_by_the_toolchain_of_the_project(self):
        toolchain = files.toml("rust-toolchain.toml")["toolchain"]["channel"]
        self.assertIn(f"RUST_IMAGE=docker.io/library/rust:{toolchain}-slim-", self.lines)
        self.assertIn(f"RUSTUP_TOOLCHAIN={toolchain} ", self.lines)

    def test_it_is_a_release_of_the_locked_dependencies_for_a_user_who_is_not_root(self):
        self.assertIn("cargo build --release --locked", self.lines)
        final = self.lines.split("\nFROM scratch\n")[1]
        self.assertRegex(final, r"(?m)^USER 65532:65532$")
        self.assertRegex(final, r"(?m)^STOPSIGNAL SIGTERM$")
        self.assertNotRegex(final, r"(?m)^RUN ")

    def test_every_version_is_that_of_the_project(self):
        version = files.toml("Cargo.toml")["workspace"]["package"]["version"]
        self.assertIn(f"ARG VERSION={version}\n", self.lines)
        for store in files.COMPOSE_STORES:
            images = {service["image"] for service in files.compose(store)["services"].values()}
            self.assertEqual([image for image in images if image.startswith("firmquote:")], [f"firmquote:{version}"])
        self.assertEqual(str(files.one_yaml("deploy/kubernetes/kustomization.yaml")["images"][0]["newTag"]), version)

    def test_only_what_the_build_reads_is_sent_to_it(self):
        ignored = [line for line in files.text(".dockerignore").splitlines() if line and not line.startswith("#")]
        self.assertEqual(ignored[0], "*")
        members = files.toml("Cargo.toml")["workspace"]["members"]
        sent = {re.sub(r"/\*$", "", member) for member in members} | {"Cargo.toml", "Cargo.lock"}
        self.assertEqual({line[1:] for line in ignored if line.startswith("!")}, sent)


if __name__ == "__main__":
    unittest.main()
