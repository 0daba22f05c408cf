import pathlib
import unittest

import nets
import tensorvet
import tensorvet.ray
from ray import tune
from ray.tune.search.optuna import OptunaSearch


class Searches(unittest.TestCase):
    def test_proposals_that_cannot_work_are_drawn_anew(self):
        with nets.folder() as folder:
            model = tensorvet.Model(pathlib.Path(folder, "net.py::Net"), nets.SPACE)
            space = {name: tune.choice(values) for name, values in model.space.domains.items()}
            searcher = tensorvet.ray.Searcher(model, OptunaSearch(space, metric="width", mode="max", seed=1))
            for number in range(60):
                vector = searcher.suggest(f"trial{number}")
                self.assertTrue(nets.works(**vector), vector)
                searcher.on_trial_complete(f"trial{number}", {"width": vector["width"]})
            self.assertGreater(searcher.refused, 0)

    def test_a_real_search_runs(self):
        with nets.folder() as folder:
            model = tensorvet.Model(pathlib.Path(folder, "net.py::Net"), nets.SPACE)
            space = {name: tune.choice(values) for name, values in model.space.domains.items()}
            searcher = tensorvet.ray.Searcher(model, OptunaSearch(space, metric="width", mode="max", seed=2))

            def train(config):
                return {"width": config["width"]}

            tuner = tune.Tuner(train, tune_config=tune.TuneConfig(metric="width", mode="max", search_alg=searcher, num_samples=8, max_concurrent_trials=1))
            results = tuner.fit()
            self.assertEqual(len(results), 8)
            for result in results:
                self.assertIsNone(result.error)
                self.assertTrue(nets.works(**{name: result.config[name] for name in model.space.names}))

    def test_a_space_in_which_nothing_works_is_told(self):
        with nets.folder() as folder:
            space = {**nets.SPACE, "parameters": {**nets.SPACE["parameters"], "kernel": [20, 30]}}
            model = tensorvet.Model(pathlib.Path(folder, "net.py::Net"), space)
            choices = {name: tune.choice(values) for name, values in model.space.domains.items()}
            searcher = tensorvet.ray.Searcher(model, OptunaSearch(choices, metric="width", mode="max", seed=3))
            with self.assertRaisesRegex(ValueError, "no combination .* can work; most break Conv2d"):
                searcher.suggest("trial")


if __name__ == "__main__":
    unittest.main()
