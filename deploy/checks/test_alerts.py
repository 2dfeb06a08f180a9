"""The alerts: each has a runbook section, a test in which it fires, and uses metrics that are served."""

import re
import unittest

import files


def heading_anchor(heading):
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


class Alerts(unittest.TestCase):
    def test_each_alert_has_a_name_of_its_own_a_severity_and_a_text(self):
        names = [rule["alert"] for rule in files.alerts()]
        self.assertEqual(len(names), len(set(names)))
        for rule in files.alerts():
            self.assertIn(rule["labels"]["severity"], {"critical", "warning", "info"}, rule["alert"])
            self.assertEqual(set(rule["annotations"]), {"summary", "description", "runbook"}, rule["alert"])

    def test_each_alert_has_a_section_of_the_runbook_and_each_section_an_alert(self):
        headings = re.findall(r"^#+ (Firmquote\w+)$", files.text("docs/runbook.md"), re.MULTILINE)
        self.assertEqual(sorted(headings), sorted(rule["alert"] for rule in files.alerts()))
        for rule in files.alerts():
            self.assertEqual(rule["annotations"]["runbook"], "docs/runbook.md#" + heading_anchor(rule["alert"]))

    def test_each_alert_is_seen_raised(self):
        tests = files.text("deploy/prometheus/alerts_test.yml")
        raised = set(re.findall(r'alertname="(\w+)"', tests))
        self.assertEqual(raised, {rule["alert"] for rule in files.alerts()})

    def test_alerts_rest_on_metrics_that_are_served(self):
        known = files.metrics_served() | files.FOREIGN
        for rule in files.alerts():
            used = files.metrics_used(rule["expr"])
            self.assertTrue(used, rule["alert"])
            self.assertEqual(used - known, set(), rule["alert"])

    def test_reasons_and_jobs_are_those_that_there_are(self):
        variants = re.search(r"enum Reason {(.*?)\n}", files.text("crates/api/src/reason.rs"), re.DOTALL)[1]
        reasons = {
            name or re.sub(r"(?<!^)(?=[A-Z])", "_", variant).lower()
            for name, variant in re.findall(r'(?:serialize = "(\w+)"\)\]\s*)?\b([A-Z]\w*),', variants)
        }
        jobs = {job["job_name"] for job in files.one_yaml("deploy/prometheus/prometheus.yml")["scrape_configs"]}
        for rule in files.alerts():
            named = re.findall(r'reason=~?"([^"]*)"', rule["expr"])
            self.assertLessEqual({reason for found in named for reason in found.split("|")}, reasons, rule["alert"])
            self.assertLessEqual(set(re.findall(r'\bjob="([^"]*)"', rule["expr"])), jobs, rule["alert"])


if __name__ == "__main__":
    unittest.main()
