import pathlib
import tempfile
import unittest

import nets
import optuna
import tensorvet
import tensorvet.optuna

optuna.logging.set_verbosity(optuna.logging.WARNING)


def suggested(trial, space):
    params = tensorvet.optuna.suggest(trial, space)
    trial.suggest_float("rate", 1e-4, 1e-1, log=True)
    return params


class Reals(unittest.TestCase):
    def test_any_number_of_a_range_is_drawn(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder, "drop.py")
            program.write_text("from torch import nn\n\n\ndef drop(x, rate):\n    return nn.Dropout(rate)(x)\n")
            space = {"rate": {"low": 0.0, "high": 1.5}}
            model = tensorvet.Model(f"{program}::drop", space, inputs={"x": "f32[2]"})
        study = optuna.create_study(sampler=tensorvet.optuna.Sampler(model, seed=1))
        study.optimize(lambda trial: trial.suggest_float("rate", 0.0, 1.5), n_trials=20)
        drawn = {trial.params["rate"] for trial in study.trials}
        self.assertEqual(len(drawn), 20)
        self.assertLessEqual(max(drawn), 1.0)


class Studies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = nets.folder()
        cls.model = tensorvet.Model(pathlib.Path(cls.folder.name, "net.py::Net"), nets.SPACE)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_trials_that_cannot_work_are_pruned(self):
        def objective(trial):
            vector = suggested(trial, self.model.space)
            tensorvet.optuna.prune(self.model, trial)
            self.assertTrue(nets.works(**vector))
            return vector["width"]

        study = optuna.create_study(sampler=optuna.samplers.TPESampler(seed=1))
        study.optimize(objective, n_trials=60)
        pruned = [trial for trial in study.trials if trial.state == optuna.trial.TrialState.PRUNED]
        self.assertTrue(pruned)
        for trial in pruned:
            self.assertFalse(nets.works(**{name: trial.params[name] for name in self.model.space.names}))
            self.assertTrue(trial.user_attrs["tensorvet"])

    def test_a_sampler_proposes_nothing_that_cannot_work(self):
        for inner in (optuna.samplers.TPESampler(seed=2), optuna.samplers.TPESampler(seed=2, multivariate=True), None):
            sampler = tensorvet.optuna.Sampler(self.model, inner, seed=3)

            def objective(trial):
                vector = suggested(trial, self.model.space)
                self.assertTrue(nets.works(**vector), vector)
                return vector["width"]

            study = optuna.create_study(sampler=sampler)
            study.optimize(objective, n_trials=60)
            self.assertTrue(all(trial.state == optuna.trial.TrialState.COMPLETE for trial in study.trials))
            self.assertGreater(sampler.refused, 0)


if __name__ == "__main__":
    unittest.main()
