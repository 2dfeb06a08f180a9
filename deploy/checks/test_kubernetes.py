"""Kubernetes: the manifests are consistent with each other and with what the service needs to start, serve and stop."""

import unittest

import files


def only(kind):
    [manifest] = files.of_kind(kind)
    return manifest


class Kubernetes(unittest.TestCase):
    def setUp(self):
        self.deployment = only("Deployment")["spec"]
        self.pod = self.deployment["template"]["spec"]
        [self.container] = self.pod["containers"]
        self.ports = {port["name"]: port["containerPort"] for port in self.container["ports"]}
        self.configuration = files.toml("deploy/kubernetes/firmquote.toml")
        self.store = files.variables("deploy/kubernetes/store.env")

    def test_every_selector_finds_the_pods(self):
        labels = self.deployment["template"]["metadata"]["labels"].items()
        selectors = [self.deployment["selector"]["matchLabels"], only("NetworkPolicy")["spec"]["podSelector"]["matchLabels"]]
        selectors.append(only("PodDisruptionBudget")["spec"]["selector"]["matchLabels"])
        selectors += [service["spec"]["selector"] for service in files.of_kind("Service")]
        spread = self.pod["topologySpreadConstraints"]
        selectors += [constraint["labelSelector"]["matchLabels"] for constraint in spread]
        for selector in selectors:
            self.assertLessEqual(selector.items(), labels)

    def test_everything_is_in_the_namespace(self):
        for manifest in files.kubernetes():
            if manifest["kind"] != "Namespace":
                self.assertEqual(manifest["metadata"]["namespace"], only("Namespace")["metadata"]["name"])

    def test_the_pods_meet_the_restricted_standard_and_write_nowhere(self):
        context = self.pod["securityContext"]
        self.assertIs(context["runAsNonRoot"], True)
        self.assertEqual(context["seccompProfile"], {"type": "RuntimeDefault"})
        self.assertEqual((context["runAsUser"], context["runAsGroup"]), (65532, 65532))
        container = self.container["securityContext"]
        self.assertIs(container["allowPrivilegeEscalation"], False)
        self.assertIs(container["readOnlyRootFilesystem"], True)
        self.assertEqual(container["capabilities"], {"drop": ["ALL"]})
        self.assertIs(self.pod["automountServiceAccountToken"], False)
        self.assertTrue(all(mount["readOnly"] for mount in self.container["volumeMounts"]))

    def test_a_user_who_is_not_root_can_read_the_secrets_and_others_cannot(self):
        [secret] = [volume["secret"] for volume in self.pod["volumes"] if "secret" in volume]
        self.assertEqual(secret["defaultMode"], 0o440)
        self.assertEqual(self.pod["securityContext"]["fsGroup"], self.pod["securityContext"]["runAsGroup"])

    def test_the_store_is_the_same_for_the_service_and_the_archiver(self):
        self.assertNotIn("store", self.configuration)
        [archiver] = files.of_kind("Deployment", files.kubernetes("deploy/kubernetes/archive"))
        for container in (self.container, archiver["spec"]["template"]["spec"]["containers"][0]):
            self.assertEqual(container["envFrom"], [{"configMapRef": {"name": "firmquote-store"}}])

    def test_a_single_replica_keeps_its_ledger_on_a_volume_and_never_runs_twice(self):
        manifests = files.kubernetes("deploy/overlays/memory")
        [deployment], [claim] = (files.of_kind(kind, manifests) for kind in ("Deployment", "PersistentVolumeClaim"))
        self.assertEqual(files.of_kind("PodDisruptionBudget", manifests), [])
        spec = deployment["spec"]
        self.assertEqual((spec["replicas"], spec["strategy"]), (1, {"type": "Recreate"}))
        pod = spec["template"]["spec"]
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        self.assertEqual(volumes["state"]["persistentVolumeClaim"]["claimName"], claim["metadata"]["name"])
        [container] = pod["containers"]
        self.assertEqual(container["securityContext"], self.container["securityContext"])
        paths = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        store = files.store_of(manifests)
        self.assertEqual(store["FIRMQUOTE__STORE__KIND"], "memory")
        self.assertEqual(store["FIRMQUOTE__STORE__STATE_DIR"], paths["state"])
        self.assertTrue(store["FIRMQUOTE__STORE__LEDGER_FILE"].startswith(paths["state"] + "/"))
        self.assertNotIn("FIRMQUOTE__STORE__URL", store)

    def test_the_replicas_reach_their_sentinels(self):
        manifests = files.kubernetes("deploy/overlays/sentinel")
        store = files.store_of(manifests)
        sentinels = [address for name, address in store.items() if "__URL__" in name]
        self.assertEqual(len(sentinels), 3)
        self.assertNotIn("FIRMQUOTE__STORE__URL", store)
        [policy], [deployment] = (files.of_kind(kind, manifests) for kind in ("NetworkPolicy", "Deployment"))
        ports = [port["port"] for rule in policy["spec"]["egress"] for port in rule["ports"]]
        self.assertTrue(all(int(address.rsplit(":", 1)[1]) in ports for address in sentinels))
        self.assertEqual(deployment["spec"]["replicas"], 3)

    def test_files_change_while_the_pods_run(self):
        self.assertFalse(any("subPath" in mount for mount in self.container["volumeMounts"]))
        [configuration] = [one for one in files.of_kind("ConfigMap") if one["metadata"]["name"] == "firmquote"]
        self.assertEqual(configuration["data"]["firmquote.toml"], files.text("deploy/kubernetes/firmquote.toml"))

    def test_files_that_the_configuration_names_are_mounted(self):
        mounted = {mount["mountPath"] for mount in self.container["volumeMounts"]}
        named = [self.store["FIRMQUOTE__STORE__PASSWORD_FILE"], self.configuration["signer"][0]["key_file"]]
        named += [self.configuration["auth"]["credentials_file"], self.container["args"][-1]]
        self.assertEqual({path.rpartition("/")[0] for path in named}, mounted)

    def test_ports_and_probes_are_those_of_the_configuration(self):
        server = self.configuration["server"]
        listeners = {"public": server["bind"], "admin": server["admin_bind"]}
        self.assertEqual({name: f"0.0.0.0:{port}" for name, port in self.ports.items()}, listeners)
        paths = {name: self.container[f"{name}Probe"]["httpGet"] for name in ("startup", "readiness", "liveness")}
        self.assertTrue(all(probe["port"] == "admin" for probe in paths.values()))
        self.assertEqual([probe["path"] for probe in paths.values()], ["/healthz", "/readyz", "/healthz"])

    def test_the_operators_port_is_for_monitoring_only(self):
        [public, admin] = sorted(files.of_kind("Service"), key=lambda service: len(service["metadata"]["name"]))
        self.assertEqual([port["targetPort"] for port in public["spec"]["ports"]], ["public"])
        self.assertEqual([port["targetPort"] for port in admin["spec"]["ports"]], ["admin"])
        reached = {}
        for rule in only("NetworkPolicy")["spec"]["ingress"]:
            [port], [peer] = rule["ports"], rule["from"]
            reached[port["port"]] = peer["namespaceSelector"]["matchLabels"]["kubernetes.io/metadata.name"]
        self.assertEqual(reached, {"public": "ingress-nginx", "admin": "monitoring"})

    def test_an_update_takes_no_replica_away_and_a_stop_is_waited_for(self):
        self.assertEqual(self.deployment["strategy"]["rollingUpdate"], {"maxUnavailable": 0, "maxSurge": 1})
        self.assertLess(only("PodDisruptionBudget")["spec"]["minAvailable"], self.deployment["replicas"])
        drain = self.configuration["server"]["drain_seconds"]
        self.assertGreater(self.pod["terminationGracePeriodSeconds"], drain + 15)
        probe = self.container["readinessProbe"]
        self.assertGreater(drain, probe["periodSeconds"] * probe["failureThreshold"] + probe["timeoutSeconds"])

    def test_the_archive_runs_once_beside_the_service_without_its_key(self):
        manifests = files.kubernetes("deploy/kubernetes/archive")
        [deployment], [policy] = files.of_kind("Deployment", manifests), files.of_kind("NetworkPolicy", manifests)
        [claim] = files.of_kind("PersistentVolumeClaim", manifests)
        spec = deployment["spec"]
        self.assertEqual((spec["replicas"], spec["strategy"]), (1, {"type": "Recreate"}))
        pod = spec["template"]["spec"]
        [container] = pod["containers"]
        self.assertEqual(container["image"], self.container["image"])
        self.assertEqual(container["securityContext"], self.container["securityContext"])
        self.assertEqual(pod["securityContext"], self.pod["securityContext"])
        labels = spec["template"]["metadata"]["labels"].items()
        self.assertLessEqual(policy["spec"]["podSelector"]["matchLabels"].items(), labels)
        volumes = {volume["name"]: volume for volume in pod["volumes"]}
        self.assertEqual(volumes["archive"]["persistentVolumeClaim"]["claimName"], claim["metadata"]["name"])
        self.assertEqual([item["key"] for item in volumes["secrets"]["secret"]["items"]], ["redis-password"])
        paths = {mount["name"]: mount["mountPath"] for mount in container["volumeMounts"]}
        self.assertTrue(container["args"][2].startswith(paths["archive"] + "/"))
        self.assertEqual(paths["secrets"] + "/redis-password", self.store["FIRMQUOTE__STORE__PASSWORD_FILE"])

    def test_what_the_operator_of_prometheus_scrapes_is_there(self):
        [monitor] = files.kubernetes("deploy/kubernetes/monitoring")
        admin = [service for service in files.of_kind("Service") if service["spec"].get("clusterIP") == "None"]
        [service] = admin
        self.assertLessEqual(monitor["spec"]["selector"]["matchLabels"].items(), service["metadata"]["labels"].items())
        [endpoint] = monitor["spec"]["endpoints"]
        self.assertIn(endpoint["port"], [port["name"] for port in service["spec"]["ports"]])
        self.assertIn({"targetLabel": "job", "replacement": "firmquote"}, endpoint["relabelings"])


if __name__ == "__main__":
    unittest.main()
