"""The dashboard: Grafana can read it, panels do not overlap, and the metrics that it queries are served."""

import itertools
import json
import pathlib
import subprocess
import tempfile
import unittest

import files

KINDS = {"row", "timeseries", "stat", "heatmap", "state-timeline"}
SOURCE = {"type": "prometheus", "uid": "${datasource}"}
# The values that Grafana substitutes for its variables.
WRITTEN = {"$__rate_interval": "1m", "$job": "firmquote", "$instance": ".*"}


def expressions():
    of_panels = [target["expr"] for panel in panels() for target in panel["targets"]]
    return of_panels + [annotation["expr"] for annotation in files.dashboard()["annotations"]["list"]]


def panels():
    return [panel for panel in files.dashboard()["panels"] if panel["type"] != "row"]


class Dashboard(unittest.TestCase):
    def test_it_is_of_a_form_that_grafana_12_and_13_read(self):
        dashboard = files.dashboard()
        self.assertGreaterEqual(dashboard["schemaVersion"], 39)
        self.assertEqual(dashboard["uid"], "firmquote")
        self.assertNotIn("id", dashboard, "a number of another installation")
        numbers = [panel["id"] for panel in dashboard["panels"]]
        self.assertEqual(len(numbers), len(set(numbers)))
        self.assertLessEqual({panel["type"] for panel in dashboard["panels"]}, KINDS)
        variables = {variable["name"]: variable for variable in dashboard["templating"]["list"]}
        self.assertEqual(list(variables), ["datasource", "job", "instance"])
        self.assertTrue(variables["instance"]["multi"] and variables["instance"]["includeAll"])

    def test_every_panel_has_a_title_a_unit_and_asks_the_chosen_source(self):
        for panel in panels():
            self.assertTrue(panel["title"], panel["id"])
            self.assertEqual(panel["datasource"], SOURCE, panel["title"])
            self.assertTrue(panel["targets"], panel["title"])
            for target in panel["targets"]:
                self.assertEqual(target["datasource"], SOURCE, panel["title"])
            if panel["type"] in {"timeseries", "stat"}:
                self.assertTrue(panel["fieldConfig"]["defaults"]["unit"], panel["title"])

    def test_no_panel_lies_over_another(self):
        places = [(panel["title"], panel["gridPos"]) for panel in files.dashboard()["panels"]]
        for title, place in places:
            self.assertLessEqual(place["x"] + place["w"], 24, title)
        for (title, one), (other_title, other) in itertools.combinations(places, 2):
            apart_in_x = one["x"] + one["w"] <= other["x"] or other["x"] + other["w"] <= one["x"]
            apart_in_y = one["y"] + one["h"] <= other["y"] or other["y"] + other["h"] <= one["y"]
            self.assertTrue(apart_in_x or apart_in_y, f"{title} and {other_title}")

    def test_it_asks_for_metrics_that_are_served(self):
        known = files.metrics_served() | files.FOREIGN
        for expression in expressions():
            used = files.metrics_used(expression)
            self.assertTrue(used, expression)
            self.assertEqual(used - known, set(), expression)

    def test_every_expression_is_one_of_prometheus(self):
        rules = []
        for number, expression in enumerate(expressions()):
            for variable, written in WRITTEN.items():
                expression = expression.replace(variable, written)
            self.assertNotIn("$", expression)
            rules.append({"record": f"panel:{number}", "expr": expression})
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "rules.yml"
            path.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
            checked = subprocess.run(["promtool", "check", "rules", path], capture_output=True, text=True)
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertIn(f"{len(rules)} rules found", checked.stdout)

    def test_what_is_provisioned_is_where_compose_puts_it(self):
        provider = files.one_yaml("deploy/grafana/provisioning/dashboards/firmquote.yaml")["providers"][0]
        grafana = files.one_yaml("deploy/compose/compose.yaml")["services"]["grafana"]
        self.assertIn(f"../grafana/dashboards:{provider['options']['path']}:ro", grafana["volumes"])
        source = files.one_yaml("deploy/grafana/provisioning/datasources/prometheus.yaml")["datasources"][0]
        self.assertEqual((source["type"], source["url"]), ("prometheus", "http://prometheus:9090"))


if __name__ == "__main__":
    unittest.main()
