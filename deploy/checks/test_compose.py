"""One machine with compose: no container has more privileges, network access or published ports than it needs."""

import re
import unittest

import files

FOLDER = files.DEPLOY / "compose"


class Compose:
    """What holds with each store."""

    store = ""
    replicas = {"firmquote": "8080"}

    def setUp(self):
        self.compose = files.compose(self.store)
        self.services = self.compose["services"]
        self.configuration = files.toml("deploy/compose/config/firmquote.toml")
        self.variables = files.variables(f"deploy/compose/{self.store}.env")

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
        expected = {name: [f"127.0.0.1:{port}:8080"] for name, port in self.replicas.items()}
        self.assertEqual(published, expected | {"grafana": ["127.0.0.1:3000:3000"]})

    def test_networks_join_those_who_speak_with_each_other_only(self):
        def members(network):
            return {name for name, service in self.services.items() if network in service["networks"]}

        exporters = {name for name in self.services if name.startswith("redis-exporter")}
        replicas, others = set(self.replicas), {"prometheus", "grafana"}
        self.assertEqual(members("public"), replicas)
        self.assertEqual(members("monitoring"), replicas | exporters | {"prometheus"})
        self.assertEqual(members("dashboards"), others)
        self.assertEqual(members("store"), set() if self.store == "memory" else set(self.services) - others)
        for network in {"store", "monitoring"} & set(self.compose["networks"]):
            self.assertTrue(self.compose["networks"][network]["internal"])

    def test_the_operators_listeners_and_exporters_are_the_targets_of_prometheus(self):
        listeners = []
        for name in self.replicas:
            service = self.services[name]
            configured = self.configuration["server"]["admin_bind"]
            listeners.append(service.get("environment", {}).get("FIRMQUOTE__SERVER__ADMIN_BIND", configured))
            self.assertEqual(listeners[-1].rpartition(":")[0], service["networks"]["monitoring"]["ipv4_address"])
        exporters = [f"{name}:9121" for name in self.services if name.startswith("redis-exporter")]
        folder = "deploy/prometheus/targets" if self.store == "redis" else f"deploy/compose/targets/{self.store}"
        for job, expected in (("firmquote", listeners), ("redis", exporters)):
            groups = files.one_yaml(f"{folder}/{job}.yml")
            self.assertEqual([target for group in groups for target in group["targets"]], expected)
        mounted = f"./targets/{self.store}:/etc/prometheus/targets:ro"
        self.assertEqual(mounted in self.services["prometheus"]["volumes"], self.store != "redis")
        jobs = files.one_yaml("deploy/prometheus/prometheus.yml")["scrape_configs"]
        named = {job["job_name"]: job["file_sd_configs"][0]["files"] for job in jobs}
        self.assertEqual(named, {job: [f"targets/{job}.yml"] for job in ("firmquote", "redis")})
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
        named = {self.configuration["signer"][0]["key_file"], self.variables.get("FIRMQUOTE__STORE__PASSWORD_FILE")}
        for replica in self.replicas:
            mounted = {f"/run/secrets/{name}" for name in self.services[replica]["secrets"]}
            self.assertEqual(named - {None}, mounted)
            self.assertEqual(self.services[replica]["env_file"], [f"{self.store}.env"])

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

    def test_what_is_waited_for_is_there_and_has_a_health_check(self):
        for name, service in self.services.items():
            for other in service.get("depends_on", {}):
                self.assertIn("healthcheck", self.services[other], name)

    def test_a_stop_is_waited_for_and_files_suffice_for_the_connections(self):
        server = self.configuration["server"]
        connections = server["workers"] * server["connections_per_worker"]
        for service in map(self.services.get, self.replicas):
            self.assertGreater(int(service["stop_grace_period"].rstrip("s")), server["drain_seconds"] + 15)
            self.assertGreater(service["ulimits"]["nofile"]["hard"], connections + 256)

    def test_what_the_service_and_its_archive_write_is_theirs_in_the_image(self):
        for name, service in self.services.items():
            for target in [volume.split(":")[1] for volume in service.get("volumes", [])]:
                if target.startswith("/var/lib/firmquote"):
                    user, group = service["user"].split(":")
                    installed = rf"install -d -m 700 -o {user} -g {group} (/image\S+ )*/image{target} "
                    self.assertRegex(files.text("deploy/Containerfile"), installed, name)


class Redis(Compose, unittest.TestCase):
    store = "redis"

    def test_the_archive_is_of_the_same_image_and_store(self):
        archive, service = self.services["archive"], self.services["firmquote"]
        for key in ("image", "user", "env_file"):
            self.assertEqual(archive[key], service[key])
        [directory] = [volume.split(":")[1] for volume in archive["volumes"] if volume.startswith("archive:")]
        self.assertEqual(archive["command"][:3], ["ledger", "archive", directory])

    def test_redis_drops_nothing_and_writes_down_what_it_is_told(self):
        redis = (FOLDER / "redis.conf").read_text()
        for line in ("appendonly yes", "maxmemory-policy noeviction", "aclfile /run/secrets/redis.acl"):
            self.assertRegex(redis, rf"(?m)^{line}$")

    def test_it_is_the_default(self):
        self.assertIn("COMPOSE_FILE=compose.yaml:redis.yaml\n", (FOLDER / ".env").read_text())


class Sentinel(Redis):
    store = "sentinel"
    replicas = {"firmquote": "8080", "firmquote-2": "8081", "firmquote-3": "8082"}

    def test_the_sentinels_are_those_of_the_store(self):
        urls = {value for name, value in self.variables.items() if "__URL__" in name}
        sentinels = {name for name in self.services if name.startswith("sentinel-")}
        self.assertEqual(urls, {f"redis://{name}:26379" for name in sentinels})
        master = self.variables["FIRMQUOTE__STORE__SENTINEL_MASTER"]
        self.assertIn(f"sentinel monitor {master} redis-1 6379 2\n", (FOLDER / "sentinel.conf").read_text())
        for name in self.services:
            if re.fullmatch(r"(redis|sentinel)-\d", name):
                self.assertEqual(self.services[name]["hostname"], name)

    def test_it_is_the_default(self):
        self.assertIn("sentinel.yaml", (FOLDER / ".env").read_text())


class Memory(Compose, unittest.TestCase):
    store = "memory"

    def test_ledger_and_pauses_are_on_a_volume(self):
        self.assertIn("state:/var/lib/firmquote", self.services["firmquote"]["volumes"])
        self.assertEqual(self.variables, files.variables("deploy/overlays/memory/store.env"))


if __name__ == "__main__":
    unittest.main()
