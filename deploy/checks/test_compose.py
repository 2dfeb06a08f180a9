"""One machine with compose: no container has more privileges, network access or published ports than it needs."""

import re
import unittest

import files

FOLDER = files.DEPLOY / "compose"


class Compose(unittest.TestCase):
    def setUp(self):
        self.compose = files.one_yaml("deploy/compose/compose.yaml")
        self.services = self.compose["services"]
        self.configuration = files.toml("deploy/compose/config/firmquote.toml")

    def test_every_container_has_no_rights_a_read_only_root_and_limits(self):
        for name, service in self.services.items():
            with self.subTest(name):
                self.assertEqual(service["cap_drop"], ["ALL"])
                self.assertEqual(service["security_opt"], ["no-new-privileges:true"])
                self.assertIs(service["read_only"], True)
                self.assertEqual(service["restart"], "unless-stopped")
                self.assertRegex(service["user"], r"^[1-9]\d*:\d+$")
                self.assertTrue(service["mem_limit"] and service["pids_limit"])
                self.assertNotIn("privileged", service)

    def test_every_image_has_an_exact_version(self):
        for name, service in self.services.items():
            self.assertRegex(service["image"], r":v?\d+\.\d+\.\d+(-[a-z]+)?(@sha256:[0-9a-f]{64})?$", name)

    def test_only_the_api_and_grafana_are_published_and_on_this_machine_only(self):
        published = {name: service["ports"] for name, service in self.services.items() if "ports" in service}
        self.assertEqual(published, {"firmquote": ["127.0.0.1:8080:8080"], "grafana": ["127.0.0.1:3000:3000"]})

    def test_networks_join_those_who_speak_with_each_other_only(self):
        members = {}
        for name, service in self.services.items():
            for network in service["networks"]:
                members.setdefault(network, set()).add(name)
        self.assertEqual(
            members,
            {
                "public": {"firmquote"},
                "store": {"firmquote", "archive", "redis", "redis-exporter"},
                "monitoring": {"firmquote", "redis-exporter", "prometheus"},
                "dashboards": {"prometheus", "grafana"},
            },
        )
        self.assertEqual(set(members), set(self.compose["networks"]))
        self.assertTrue(all(self.compose["networks"][name]["internal"] for name in ("store", "monitoring")))

    def test_the_operators_listener_is_on_the_address_that_prometheus_scrapes(self):
        address = self.services["firmquote"]["networks"]["monitoring"]["ipv4_address"]
        listener = self.configuration["server"]["admin_bind"]
        self.assertEqual(listener.rpartition(":")[0], address)
        jobs = files.one_yaml("deploy/prometheus/prometheus.yml")["scrape_configs"]
        targets = {job["job_name"]: job["static_configs"][0]["targets"] for job in jobs}
        self.assertEqual(targets["firmquote"], [listener])
        gateway = self.compose["networks"]["public"]["ipam"]["config"][0]["gateway"]
        self.assertEqual(self.configuration["server"]["trusted_proxies"], [f"{gateway}/32"])

    def test_secrets_are_files_that_exist_nowhere_but_with_the_operator(self):
        used = {secret for service in self.services.values() for secret in service.get("secrets", [])}
        self.assertEqual(used, set(self.compose["secrets"]))
        made = files.text("deploy/compose/new-secrets")
        for name, secret in self.compose["secrets"].items():
            self.assertEqual(secret, {"file": f"./secrets/{name}"})
            self.assertRegex(made, rf"\bgive {re.escape(name)} \d+:\d+")
        self.assertEqual((FOLDER / ".gitignore").read_text(), "/secrets/\n")
        named = [self.configuration["store"]["password_file"], self.configuration["signer"][0]["key_file"]]
        mounted = {f"/run/secrets/{name}" for name in self.services["firmquote"]["secrets"]}
        self.assertEqual(set(named), mounted)

    def test_secrets_are_given_to_the_users_who_read_them(self):
        owners = dict(re.findall(r"\bgive ([\w.-]+) (\d+:\d+)", files.text("deploy/compose/new-secrets")))
        for name, service in self.services.items():
            for secret in service.get("secrets", []):
                self.assertEqual(owners[secret], service["user"], name)

    def test_what_is_mounted_is_there(self):
        for name, service in self.services.items():
            for volume in service.get("volumes", []):
                source = volume.split(":")[0]
                if source.startswith("."):
                    self.assertTrue((FOLDER / source).exists(), f"{name}: {source}")
                    self.assertTrue(volume.endswith(":ro"), f"{name}: {volume}")
                else:
                    self.assertIn(source, self.compose["volumes"], name)

    def test_a_stop_is_waited_for_and_files_suffice_for_the_connections(self):
        server = self.configuration["server"]
        service = self.services["firmquote"]
        self.assertGreater(int(service["stop_grace_period"].rstrip("s")), server["drain_seconds"] + 15)
        connections = server["workers"] * server["connections_per_worker"]
        self.assertGreater(service["ulimits"]["nofile"]["hard"], connections + 256)

    def test_the_archive_is_of_the_same_image_in_a_directory_that_it_may_write(self):
        archive, service = self.services["archive"], self.services["firmquote"]
        self.assertEqual((archive["image"], archive["user"]), (service["image"], service["user"]))
        [directory] = [volume.split(":")[1] for volume in archive["volumes"] if volume.startswith("archive:")]
        self.assertEqual(archive["command"][:3], ["ledger", "archive", directory])
        user, group = archive["user"].split(":")
        self.assertIn(f"install -d -m 700 -o {user} -g {group} /image{directory} ", files.text("deploy/Containerfile"))

    def test_redis_drops_nothing_and_writes_down_what_it_is_told(self):
        redis = (FOLDER / "redis.conf").read_text()
        for line in ("appendonly yes", "maxmemory-policy noeviction", "aclfile /run/secrets/redis.acl"):
            self.assertRegex(redis, rf"(?m)^{line}$")


if __name__ == "__main__":
    unittest.main()
