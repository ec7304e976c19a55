"""What settings, commands and options of earlier versions are replaced by."""

GONE: dict[str, str] = {
    "by": "give a folder its own settings in grounding_directories, or a test with @pytest.mark.grounding",
    "judge_agreement": "panels of judges are gone: name one judge in judge",
    "judge_budget": "set judge_max_requests, the number of requests to judges that a run may make",
    "judge_inconclusive": "a judge is asked once about a claim, so it cannot contradict itself",
    "judge_per_minute": "the service's SDK waits and tries again; set remote_retries",
    "judge_prices": "set judge_max_requests; what tokens cost, your service's own page says",
    "judge_repeats": "a judge is asked once about a claim; measure it with calibrate --judge",
    "judges": "panels of judges are gone: name one judge in judge",
    "remote_run_deadline": "set remote_deadline and remote_retries, which the service's SDK keeps",
    "weights": "fitted weights are gone: choose thresholds with calibrate, or fit the confidence with -o",
}
